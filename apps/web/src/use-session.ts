import { useEffect, useState } from 'react'
import { hasCode, onSessionEnd } from './api/request.ts'
import { readSession, type Session } from './api/session.ts'
import { type Loaded, useLoaded } from './api/use-loaded.ts'

/** Who is signed in; null: nobody. A session that ends while a page is open is noticed at the page's next request. */
export function useSession(): { session: Loaded<Session | null>; reload(): void } {
  const { loaded, reload } = useLoaded('session', async (signal) => {
    try {
      return await readSession(signal)
    } catch (error) {
      if (hasCode(error, 'unauthenticated')) return null
      throw error
    }
  })
  const [hasEnded, setHasEnded] = useState(false)
  useEffect(() => onSessionEnd(() => setHasEnded(true)), [])
  useEffect(() => {
    if (loaded.status === 'ready' && loaded.value) setHasEnded(false)
  }, [loaded])
  return { session: hasEnded ? { status: 'ready', value: null } : loaded, reload }
}
