import { CircleStop } from 'lucide-react'

/** Says that a person stopped a run, which is not an error. */
export function StoppedNotice({ message }: { message: string }) {
  return (
    <p role="status" className="flex items-start gap-2 rounded-lg border border-line bg-raised px-4 py-2.5">
      <CircleStop className="mt-0.5 size-4 shrink-0 text-soft" aria-hidden="true" />
      <span className="[overflow-wrap:anywhere]">{message}</span>
    </p>
  )
}
