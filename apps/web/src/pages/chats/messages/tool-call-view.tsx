import type { ToolCallStep } from '../../../api/chats.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Step } from './step.tsx'

/** A tool that a model called: one line, and behind it what went in and what came out. */
export function ToolCallView({ step }: { step: ToolCallStep }) {
  return (
    <Step status={step.status} title={step.tool} {...(step.connector !== null && { remark: `of ${step.connector}` })}>
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

/** JSON in lines; what is not whole JSON, since it was cut or malformed, as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
