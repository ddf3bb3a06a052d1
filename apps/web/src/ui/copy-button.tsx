import { useState } from 'react'
import { Button } from './button.tsx'

export function CopyButton({ text, label }: { text: string; label: string }) {
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
    <Button onClick={() => void copy()}>
      <span aria-live="polite">{current ? (current.isCopied ? 'Copied' : 'Copying is not allowed here') : label}</span>
    </Button>
  )
}
