import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'

/** The recovery codes, which can't be shown again. */
export function RecoveryCodes({ codes, doneLabel, onDone }: { codes: string[]; doneLabel: string; onDone(): void }) {
  return (
    <div className="grid gap-4">
      <p role="status">
        Save these recovery codes now. You won’t see them again. If you lose your app, each of them lets you sign in once.
      </p>
      <CodeBlock label="Recovery codes" text={codes.join('\n')} copyLabel="Copy codes" />
      <Button kind="primary" className="justify-self-start" onClick={onDone}>{doneLabel}</Button>
    </div>
  )
}
