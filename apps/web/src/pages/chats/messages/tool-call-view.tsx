import type { ToolCallStep } from '../../../api/chats.ts'
import { Status } from '../../../ui/status.tsx'

/** A tool that a model called: one line, and behind it what went in and what came out. */
export function ToolCallView({ step }: { step: ToolCallStep }) {
  return (
    <div className="step">
      <details>
        <summary className="line">
          <Status status={step.status} />
          <span className="title">{step.tool}</span>
          {step.connector !== null && <span className="soft">of {step.connector}</span>}
        </summary>
        <p className="label">Input</p>
        <pre>{pretty(step.input)}</pre>
        {step.output !== null && (
          <>
            <p className="label">Output</p>
            <pre>{step.output}</pre>
          </>
        )}
      </details>
    </div>
  )
}

/** JSON in lines; what is not whole JSON, since it was cut or malformed, as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
