import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { OverlapChoice } from './overlap-choice.tsx'

const firstOverlapHours = 24

interface Ending {
  title: string
  confirmLabel: string
  /** What it leads to. */
  explanation: ReactNode
}

/** Asks before a secret is rotated or what it belongs to is ended. Closed if nothing is asked. */
export function SecretDialog(props: {
  asked: 'rotate' | 'end' | undefined
  ending: Ending
  isBusy: boolean
  error: unknown
  onRotate(overlapHours: number): void
  onEnd(): void
  onClose(): void
}) {
  const [overlapHours, setOverlapHours] = useState(firstOverlapHours)
  const { asked, ending } = props
  const isRotation = asked === 'rotate'
  return (
    <ConfirmDialog
      title={isRotation ? 'Rotate this secret?' : ending.title}
      confirmLabel={isRotation ? 'Rotate secret' : ending.confirmLabel}
      isHarmless={isRotation && overlapHours > 0}
      isOpen={asked !== undefined}
      onOpenChange={props.onClose}
      isBusy={props.isBusy}
      error={props.error}
      onConfirm={() => (isRotation ? props.onRotate(overlapHours) : props.onEnd())}
    >
      {isRotation ? <OverlapChoice hours={overlapHours} onChange={setOverlapHours} /> : ending.explanation}
    </ConfirmDialog>
  )
}
