import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'

/** A modal dialog. It traps focus, returns it on close, and closes with Escape. `isSheet` shows it as a side panel. */
export function Dialog(props: {
  title: string
  description?: ReactNode
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
  isSheet?: boolean
  width?: 'narrow' | 'wide'
  /** Sets the focus after closing, instead of returning it to where it was. */
  onClosed?(): void
  children: ReactNode
  footer?: ReactNode
}) {
  const { isSheet = false, width = 'narrow' } = props
  return (
    <Radix.Root open={props.isOpen} onOpenChange={props.onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
        <Radix.Content
          {...(props.description === undefined && { 'aria-describedby': undefined })}
          onOpenAutoFocus={focusBody}
          onEscapeKeyDown={closeListFirst}
          onCloseAutoFocus={(event) => {
            if (!props.onClosed) return
            event.preventDefault()
            props.onClosed()
          }}
          className={classNames(
            'fixed z-40 flex flex-col bg-surface shadow-xl outline-none',
            isSheet
              ? `inset-y-0 right-0 w-full border-l border-line sm:max-w-[90vw] ${width === 'wide' ? 'sm:w-[64rem]' : 'sm:w-[42rem]'}`
              : 'top-1/2 left-1/2 max-h-[90dvh] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 rounded-lg border border-line',
            !isSheet && (width === 'wide' ? 'max-w-3xl' : 'max-w-lg'),
          )}
        >
          <header className="flex items-start gap-4 border-b border-line px-5 py-3.5">
            <div className="mr-auto grid gap-0.5">
              <Radix.Title className="text-base font-semibold [overflow-wrap:anywhere]">{props.title}</Radix.Title>
              {props.description !== undefined && (
                <Radix.Description className="text-soft">{props.description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" icon={<X />} className="-mt-0.5 -mr-2" />
            </Radix.Close>
          </header>
          <div data-dialog-body className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{props.children}</div>
          {props.footer !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{props.footer}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Escape closes the list of choices below a field before it closes the dialog. */
function closeListFirst(event: KeyboardEvent): void {
  const { target } = event
  if (target instanceof Element && target.matches('[aria-haspopup="listbox"][aria-activedescendant]')) event.preventDefault()
}

/** Focuses the first input, or the dialog itself, rather than the close button. */
function focusBody(event: Event): void {
  const dialog = event.currentTarget as HTMLElement
  const first = dialog.querySelector<HTMLElement>(':is([data-dialog-body] :is(input, textarea, select)):enabled')
  event.preventDefault()
  ;(first ?? dialog).focus()
}
