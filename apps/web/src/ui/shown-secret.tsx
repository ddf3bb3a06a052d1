import { CopyButton } from './copy-button.tsx'

/** A text that is shown once, to be copied. */
export function ShownSecret({ label, text }: { label: string; text: string }) {
  return (
    <p className="flex flex-wrap items-center gap-2">
      <span className="text-xs">{label}</span>
      <code className="font-mono text-xs text-ink [overflow-wrap:anywhere]">{text}</code>
      <CopyButton text={text} label="Copy" />
    </p>
  )
}
