import { Choice } from './inputs.tsx'

const choices = [
  { hours: 24, label: 'Keep the old secret valid for 24 hours' },
  { hours: 168, label: 'Keep the old secret valid for 7 days' },
  { hours: 0, label: 'Stop the old secret now' },
]

/** How long a secret that is being replaced stays valid. */
export function OverlapChoice({ hours, onChange }: { hours: number; onChange(hours: number): void }) {
  return (
    <div className="grid gap-2">
      <p>You get a new secret to sign with.</p>
      {choices.map((each) => (
        <Choice key={each.hours} type="radio" name="overlap" label={each.label} checked={each.hours === hours} onChange={() => onChange(each.hours)} />
      ))}
    </div>
  )
}
