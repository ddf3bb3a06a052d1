import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/inputs.tsx'

/** The certificate of the authority that signed the server's certificate, as text or from a file. */
export function CertificateField(props: { value: string; fault: string | undefined; onChange(text: string): void }) {
  const file = useRef<HTMLInputElement>(null)
  return (
    <div className="grid justify-items-start gap-2">
      <Field
        className="w-full"
        label="Certificate authority"
        fault={props.fault}
        hint="The authority’s certificate in PEM format. Leave blank if a public authority signed the server’s certificate."
      >
        <TextArea
          rows={props.value === '' ? 2 : 5}
          className="font-mono text-xs"
          value={props.value}
          placeholder="-----BEGIN CERTIFICATE-----"
          spellCheck={false}
          onChange={(event) => props.onChange(event.target.value)}
        />
      </Field>
      <input
        ref={file}
        type="file"
        accept=".pem,.crt,.cer,.ca"
        className="sr-only"
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          // Allow choosing the same file again.
          event.target.value = ''
          if (chosen) void chosen.text().then(props.onChange)
        }}
      />
      <Button size="small" onClick={() => file.current?.click()}>Choose file</Button>
    </div>
  )
}
