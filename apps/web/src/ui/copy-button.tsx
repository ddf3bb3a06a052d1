import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button, type ButtonLook } from './button.tsx'

/** Copies text to the clipboard and shows whether it worked. */
export function CopyButton({ text, label, kind = 'plain', size = 'small' }: { text: string; label: string } & Omit<ButtonLook, 'icon'>) {
  const [outcome, setOutcome] = useState<{ text: string; isCopied: boolean }>()
  // The clipboard API exists only on https and localhost, and the browser may still deny access.
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
      <span aria-live="polite">{current ? (current.isCopied ? 'Copied' : 'Couldn’t copy') : label}</span>
    </Button>
  )
}
