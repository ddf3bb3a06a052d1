import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './request.ts'

const maxAttempts = 3

/** Retries when the service failed or could not be reached, but not when it rejected the request. */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) return false
  return failureCount < maxAttempts - 1
}

/** Caches data for a few seconds, so that going back and forth is instant. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: shouldRetry, staleTime: 5000, refetchOnWindowFocus: true, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
}
