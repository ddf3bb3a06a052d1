import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../api/request.ts'

/** The state of an action started by a button or a form: in progress, or failed and why. */
export interface Action {
  isBusy: boolean
  error: unknown
  /** The error message to show. */
  message: string | undefined
  run(act: () => Promise<void>): void
}

export function useAction(): Action {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  const settle = (error?: unknown) => {
    if (isMounted.current) setState({ isBusy: false, error })
  }
  return {
    ...state,
    error: state.error,
    message: state.error === undefined ? undefined : messageOf(state.error),
    run(act) {
      setState({ isBusy: true })
      act().then(() => settle(), settle)
    },
  }
}
