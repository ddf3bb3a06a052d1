import { useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { hasCode, onUnreachable, request } from '../api/request.ts'

const firstWaitMs = 1000
const longestWaitMs = 10_000

/**
 * Says when the service cannot be reached, asks until it can, and then has everything on the page asked for anew. What was
 * typed stays where it is.
 */
export function ConnectionNotice() {
  const [isLost, setIsLost] = useState(false)
  const queryClient = useQueryClient()
  useEffect(() => {
    const lose = () => setIsLost(true)
    window.addEventListener('offline', lose)
    const stop = onUnreachable(lose)
    return () => {
      window.removeEventListener('offline', lose)
      stop()
    }
  }, [])
  useEffect(() => {
    if (!isLost) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let waitMs = firstWaitMs
    const look = async () => {
      clearTimeout(timer)
      try {
        await request('GET /session')
      } catch (error) {
        if (hasCode(error, 'unreachable')) {
          timer = setTimeout(() => void look(), waitMs)
          waitMs = Math.min(waitMs * 2, longestWaitMs)
          return
        }
      }
      setIsLost(false)
      void queryClient.invalidateQueries()
    }
    const lookNow = () => void look()
    timer = setTimeout(lookNow, waitMs)
    window.addEventListener('online', lookNow)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', lookNow)
    }
  }, [isLost, queryClient])
  return (
    <div role="status" className="sticky top-0 z-20">
      {isLost && (
        <p className="flex items-center gap-2 bg-warning-wash px-4 py-2 text-warning sm:px-6">
          <WifiOff className="size-4 shrink-0" aria-hidden="true" />
          The connection to the service is lost. It is tried again; what you have typed stays.
        </p>
      )}
    </div>
  )
}
