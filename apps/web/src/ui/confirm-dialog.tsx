import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { messageOf } from '../api/request.ts'
import { Button } from './button.tsx'
import { Problem } from './notice.tsx'

/** Asks for confirmation. Stays open and shows the error if the action fails. */
export function ConfirmDialog(props: {
  title: string
  children: ReactNode
  confirmLabel: string
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
  isBusy?: boolean
  error?: unknown
  isHarmless?: boolean
  onConfirm(): void
}) {
  return (
    <AlertDialog.Root open={props.isOpen} onOpenChange={props.onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
        <AlertDialog.Content className="fixed top-1/2 left-1/2 z-40 grid w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 gap-3 rounded-lg border border-line bg-surface p-5 shadow-xl">
          <AlertDialog.Title className="text-base font-semibold [overflow-wrap:anywhere]">{props.title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="text-soft">{props.children}</div>
          </AlertDialog.Description>
          {props.error !== undefined && props.error !== null && <Problem message={messageOf(props.error)} />}
          <div className="mt-1 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <Button kind={props.isHarmless ? 'primary' : 'danger'} isBusy={props.isBusy ?? false} onClick={props.onConfirm}>
              {props.confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
