import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../api/request.ts'

/** Something that a person asks for by a button or a form: whether it is under way, and why it did not work. */
export interface Action {
  isBusy: boolean
  error: unknown
  /** What to say about the error. */
  message: string | undefined
  run(act: () => Promise<void>): void
}

export function useAction(): Action {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])
  const settle = (error?: unknown) => {
    if (isThere.current) setState({ isBusy: false, error })
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
