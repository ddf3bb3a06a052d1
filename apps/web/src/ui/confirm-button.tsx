import { useState } from 'react'
import { Button } from './button.tsx'

/** A button whose deed cannot be undone: it asks once more, in the same place. */
export function ConfirmButton(props: {
  label: string
  /** For readers who do not see what stands beside it. */
  ariaLabel?: string
  confirmLabel: string
  isBusy: boolean
  onConfirm(): void
}) {
  const [isAsking, setIsAsking] = useState(false)
  if (!isAsking) {
    return (
      <Button onClick={() => setIsAsking(true)} aria-label={props.ariaLabel} disabled={props.isBusy}>{props.label}</Button>
    )
  }
  return (
    <>
      <Button kind="danger" onClick={props.onConfirm} disabled={props.isBusy} autoFocus>{props.confirmLabel}</Button>
      <Button onClick={() => setIsAsking(false)} disabled={props.isBusy}>Keep</Button>
    </>
  )
}
