import { CopyButton } from './copy-button.tsx'

/** Preformatted text with a copy button. Long text scrolls. */
export function CodeBlock(props: { text: string; label: string; copyLabel?: string; canCopy?: boolean; isWrapped?: boolean }) {
  const { text, label, canCopy = true, isWrapped = false } = props
  return (
    <div className="group relative rounded-md border border-line bg-raised">
      <pre
        className={`max-h-96 overflow-auto p-3 font-mono text-xs leading-5 ${isWrapped ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : ''} ${canCopy ? 'pr-24' : ''}`}
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        {text}
      </pre>
      {canCopy && (
        <div className="absolute top-1.5 right-1.5">
          <CopyButton text={text} label={props.copyLabel ?? 'Copy'} />
        </div>
      )}
    </div>
  )
}
