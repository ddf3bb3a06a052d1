import { useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { hasCode, onUnreachable, request } from '../api/request.ts'

const firstWaitMs = 1000
const maxWaitMs = 10_000

/** Shows that the service can't be reached, retries until it can, then refreshes all data on the page. Input is kept. */
export function ConnectionNotice() {
  const [isLost, setIsLost] = useState(false)
  const queryClient = useQueryClient()
  useEffect(() => {
    const markLost = () => setIsLost(true)
    window.addEventListener('offline', markLost)
    const stop = onUnreachable(markLost)
    return () => {
      window.removeEventListener('offline', markLost)
      stop()
    }
  }, [])
  useEffect(() => {
    if (!isLost) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let waitMs = firstWaitMs
    const check = async () => {
      clearTimeout(timer)
      try {
        await request('GET /session')
      } catch (error) {
        if (hasCode(error, 'unreachable')) {
          timer = setTimeout(() => void check(), waitMs)
          waitMs = Math.min(waitMs * 2, maxWaitMs)
          return
        }
      }
      setIsLost(false)
      void queryClient.invalidateQueries()
    }
    const checkNow = () => void check()
    timer = setTimeout(checkNow, waitMs)
    window.addEventListener('online', checkNow)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', checkNow)
    }
  }, [isLost, queryClient])
  return (
    <div role="status" className="sticky top-0 z-20">
      {isLost && (
        <p className="flex items-center gap-2 bg-warning-wash px-4 py-2 text-warning sm:px-6">
          <WifiOff className="size-4 shrink-0" aria-hidden="true" />
          Connection lost. Reconnecting… Your changes are safe.
        </p>
      )}
    </div>
  )
}
