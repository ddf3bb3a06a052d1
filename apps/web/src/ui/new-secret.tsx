import { Hint } from './notice.tsx'
import { ShownSecret } from './shown-secret.tsx'

/** A secret that was just created, with what belongs to it. It can't be shown again. */
export function NewSecret({ values }: { values: { label: string; text: string }[] }) {
  return (
    <Hint kind="good">
      <div className="grid gap-2">
        <p><strong className="font-semibold">Save this now.</strong> You won’t see the secret again.</p>
        {values.map(({ label, text }) => <ShownSecret key={label} label={label} text={text} />)}
      </div>
    </Hint>
  )
}
