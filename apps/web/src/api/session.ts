import { queryOptions, useQuery } from '@tanstack/react-query'
import { hasCode, request, showOrganization } from './request.ts'

export type Role = 'admin' | 'member'

export interface Session {
  user: { id: string; email: string; name: string }
  organization: { id: string; name: string }
  role: Role
  /** All that the person belongs to. */
  organizations: { id: string; name: string; role: Role }[]
}

export const readSession = (signal?: AbortSignal) => request<Session>('/session', { ...(signal && { signal }) })

export async function signIn(credentials: { email: string; password: string }): Promise<void> {
  await request<void>('/session', { method: 'POST', body: credentials })
  isShown = false
}

/** The organization that a document begins with is the one it shows, until somebody signs in anew. */
let isShown = false

function show(session: Session): Session {
  if (!isShown) showOrganization(session.organization.id)
  isShown = true
  return session
}

export const signOut = () => request<void>('/session', { method: 'DELETE' })

/** Who is signed in; null: nobody. */
export const sessionOptions = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    try {
      return show(await readSession(signal))
    } catch (error) {
      if (hasCode(error, 'unauthenticated')) return null
      throw error
    }
  },
  staleTime: 60_000,
})

/** Whom this document was last shown to. */
let last: Session | undefined

/**
 * On the pages that only somebody who is signed in sees. When the session ends, what is on the screen stays as it is until
 * the router has led to sign-in.
 */
export function useSession(): Session {
  const { data } = useQuery(sessionOptions)
  last = data ?? last
  if (!last) throw new Error('This page was shown to nobody.')
  return last
}

export const useIsAdmin = () => useSession().role === 'admin'

/** What the sign-in page may offer besides the password. */
export interface SignInOptions {
  oidc: { name: string } | null
  canResetPassword: boolean
}

export const signInOptionsOptions = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => request<SignInOptions>('/sign-in-options', { signal }),
  staleTime: Infinity,
})

/** The browser itself goes there and comes back signed in. */
export const oidcStartUrl = (returnTo: string) => `/app/api/oidc/start?${new URLSearchParams({ returnTo })}`
