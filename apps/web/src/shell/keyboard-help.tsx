import { useEffect, useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { modKey } from '../ui/mod-key.ts'
import { useHotkey } from '../ui/use-hotkey.ts'
import { shortcuts } from './shortcuts.ts'

const openings = new EventTarget()

export const openKeyboardHelp = () => openings.dispatchEvent(new Event('open'))

/** `?`, from anywhere but a text field: the keyboard shortcuts of all pages. */
export function KeyboardHelp() {
  const [isOpen, setIsOpen] = useState(false)
  useHotkey('?', () => setIsOpen(true))
  useEffect(() => {
    const open = () => setIsOpen(true)
    openings.addEventListener('open', open)
    return () => openings.removeEventListener('open', open)
  }, [])
  if (!isOpen) return null
  return (
    <Dialog title="Keyboard shortcuts" isOpen onOpenChange={setIsOpen} width="wide">
      <div className="-mb-5 gap-x-8 sm:columns-2">
        {shortcuts(modKey).map(({ title, keys }) => (
          <section key={title} aria-label={title} className="mb-5 grid break-inside-avoid content-start gap-1.5">
            <h3>{title}</h3>
            <dl className="grid gap-1">
              {keys.map(({ combination, action }) => (
                <div key={action} className="flex items-baseline justify-between gap-4">
                  <dt>{action}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {combination.map((key) => (
                      <kbd key={key} className="rounded border border-line bg-raised px-1.5 font-mono text-xs leading-5">{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
