import { request } from './request.ts'

export interface Session {
  user: { id: string; email: string; name: string }
  organization: { id: string; name: string }
  role: 'admin' | 'member'
}

export const readSession = (signal?: AbortSignal) => request<Session>('/session', { ...(signal && { signal }) })

export const signIn = (credentials: { email: string; password: string }) =>
  request<void>('/session', { method: 'POST', body: credentials })

export const signOut = () => request<void>('/session', { method: 'DELETE' })
