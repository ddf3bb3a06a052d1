import type { ToolCallStep } from '../../../api/chats.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Step } from './step.tsx'

/** A tool call by the model: one line that expands to its input and output. */
export function ToolCallView({ step }: { step: ToolCallStep }) {
  return (
    <Step status={step.status} title={step.tool} {...(step.connector !== null && { remark: `from ${step.connector}` })}>
      <Piece heading="Input" text={pretty(step.input)} />
      {step.output !== null && <Piece heading="Output" text={step.output} />}
    </Step>
  )
}

function Piece({ heading, text }: { heading: string; text: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="text-xs text-soft">{heading}</p>
      <CodeBlock text={text} label={heading} canCopy={false} />
    </div>
  )
}

/** Pretty-prints JSON; leaves truncated or malformed JSON unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
