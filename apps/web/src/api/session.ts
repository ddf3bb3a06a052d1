import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Session, SignInStep } from './generated/schemas.ts'
import { operationUrl, type Body } from './operations.ts'
import { hasCode, request, showOrganization } from './request.ts'

export type { Role, Session } from './generated/schemas.ts'

/** The step that is missing, or null if the person is signed in. */
export async function signIn(credentials: Body<'POST /session'>): Promise<SignInStep | null> {
  const unfinished = await request('POST /session', { body: credentials })
  isShown = false
  return unfinished && unfinished.step
}

/** A document keeps showing the organization it started with until the next sign-in. */
let isShown = false

function show(session: Session): Session {
  if (!isShown) showOrganization(session.organization.id)
  isShown = true
  return session
}

export const signOut = () => request('DELETE /session')

/** The current session, or null. */
export const sessionOptions = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    try {
      return show(await request('GET /session', { signal }))
    } catch (error) {
      if (hasCode(error, 'unauthenticated')) return null
      throw error
    }
  },
  staleTime: 60_000,
})

/** The last session of this document. */
let lastSession: Session | undefined

/** The session, for pages that require one. When it ends, the page keeps rendering until the router redirects to sign-in. */
export function useSession(): Session {
  const { data } = useQuery(sessionOptions)
  lastSession = data ?? lastSession
  if (!lastSession) throw new Error('useSession needs a signed-in person.')
  return lastSession
}

export const useIsAdmin = () => useSession().role === 'admin'

export const signInOptionsOptions = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => request('GET /sign-in-options', { signal }),
  staleTime: Infinity,
})

/** The browser navigates there and returns signed in. */
export const oidcStartUrl = (returnTo: string) => operationUrl('GET /oidc/start', { query: { returnTo } })
