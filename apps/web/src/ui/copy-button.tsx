import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button, type ButtonLook } from './button.tsx'

/** Puts a text on the clipboard, and says whether that worked. */
export function CopyButton({ text, label, kind = 'plain', size = 'small' }: { text: string; label: string } & Omit<ButtonLook, 'icon'>) {
  const [outcome, setOutcome] = useState<{ text: string; isCopied: boolean }>()
  // The clipboard is there on https and localhost only, and the browser may refuse it even so.
  const copy = async () => {
    const isCopied = await (navigator.clipboard as Clipboard | undefined)?.writeText(text).then(
      () => true,
      () => false,
    )
    setOutcome({ text, isCopied: isCopied ?? false })
  }
  const current = outcome?.text === text ? outcome : undefined
  return (
    <Button kind={kind} size={size} icon={current?.isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
      <span aria-live="polite">{current ? (current.isCopied ? 'Copied' : 'Copying is not allowed here') : label}</span>
    </Button>
  )
}
