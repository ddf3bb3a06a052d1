import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { editEmbedOrigins, embeddingOptions } from '../../api/embedding.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextArea } from '../../ui/inputs.tsx'
import { useToast } from '../../ui/toast.tsx'

/** The sites whose pages may show queries and boards in a frame. */
export function EmbedOrigins({ origins }: { origins: string[] }) {
  const [text, setText] = useState(origins.join('\n'))
  const client = useQueryClient()
  const toast = useToast()
  const saving = useMutation({
    mutationFn: () => editEmbedOrigins(text.split('\n').map((line) => line.trim()).filter((line) => line !== '')),
    onSuccess: (saved) => {
      client.setQueryData(embeddingOptions.queryKey, saved)
      toast.show({ message: 'Sites saved.' })
    },
  })
  return (
    <form
      className="grid justify-items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Field
        className="w-full"
        label="Sites that may embed"
        hint="One origin per line. Without any, nothing can be embedded."
        fault={faultAt(saving.error, '/origins')}
      >
        <TextArea rows={3} value={text} placeholder="https://app.example.com" onChange={({ target }) => setText(target.value)} />
      </Field>
      <FormProblem error={saving.error} fields={['/origins']} />
      <Button type="submit" isBusy={saving.isPending} disabled={text === origins.join('\n')}>Save sites</Button>
    </form>
  )
}
