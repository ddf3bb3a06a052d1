import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'

/** A short message about an action just taken, with an optional action such as Undo. */
export interface Message {
  message: string
  action?: { label: string; act(): void }
  isProblem?: boolean
}

interface Toaster {
  show(message: Message): void
}

const ToastContext = createContext<Toaster>({ show: () => undefined })

export const useToast = () => use(ToastContext)

const shownMs = 6000
/** Longer, to leave time for the action. */
const shownWithActionMs = 15_000

export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<(Message & { id: number })[]>([])
  const show = useCallback(
    (message: Message) => setMessages((before) => [...before, { ...message, id: (before.at(-1)?.id ?? 0) + 1 }]),
    [],
  )
  const remove = (id: number) => setMessages((before) => before.filter((message) => message.id !== id))
  return (
    <ToastContext value={useMemo(() => ({ show }), [show])}>
      <Toast.Provider swipeDirection="right">
        {children}
        {messages.map(({ id, message, action, isProblem = false }) => (
          <Toast.Root
            key={id}
            duration={action ? shownWithActionMs : shownMs}
            type={isProblem ? 'foreground' : 'background'}
            onOpenChange={(isOpen) => {
              if (!isOpen) remove(id)
            }}
            className={`flex items-center gap-3 rounded-md border border-line bg-surface py-2 pr-2 pl-4 shadow-lg ${isProblem ? 'text-danger' : ''}`}
          >
            <Toast.Description className="mr-auto min-w-0 [overflow-wrap:anywhere]">{message}</Toast.Description>
            {action && (
              <Toast.Action altText={action.label} asChild>
                <Button size="small" onClick={action.act}>{action.label}</Button>
              </Toast.Action>
            )}
            <Toast.Close asChild>
              <IconButton label="Dismiss" icon={<X />} />
            </Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport label="Messages ({hotkey})" className="fixed right-0 bottom-0 z-50 grid w-[26rem] max-w-full gap-2 p-4" />
      </Toast.Provider>
    </ToastContext>
  )
}
