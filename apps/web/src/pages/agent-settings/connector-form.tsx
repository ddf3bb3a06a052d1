import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { addDataConnector, dataConnectorsOptions } from '../../api/data-connectors.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextInput } from '../../ui/inputs.tsx'

interface Header {
  name: string
  value: string
}

/** Adds a data connector. Its header values can't be shown again. */
export function ConnectorForm() {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [headers, setHeaders] = useState<Header[]>([])
  const client = useQueryClient()
  const adding = useMutation({
    mutationFn: addDataConnector,
    onSuccess: async () => {
      setName('')
      setUrl('')
      setHeaders([])
      await client.invalidateQueries({ queryKey: dataConnectorsOptions.queryKey })
    },
  })
  const { error } = adding
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const named = headers.filter((header) => header.name.trim() !== '')
    const given = Object.fromEntries(named.map((header) => [header.name.trim(), header.value]))
    adding.mutate({ name: name.trim(), url: url.trim(), headers: given })
  }
  return (
    <form
      className="mt-5 grid gap-4 border-t border-line pt-4"
      onSubmit={submit}
      noValidate
      aria-label="New data connector"
    >
      <div className="grid gap-4 sm:grid-cols-[14rem_1fr]">
        <Field label="Connector name" fault={faultAt(error, '/name')}>
          <TextInput
            value={name}
            onChange={(event) => setName(event.target.value)}
            placeholder="Customer records"
            autoComplete="off"
          />
        </Field>
        <Field label="URL" fault={faultAt(error, '/url')}>
          <TextInput
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            placeholder="https://tools.example.com/mcp"
            inputMode="url"
            spellCheck={false}
            autoComplete="off"
          />
        </Field>
      </div>
      <Headers headers={headers} fault={faultAt(error, '/headers')} onChange={setHeaders} />
      <FormProblem error={error} fields={['/name', '/url', '/headers']} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={adding.isPending}>Add connector</Button>
        <Button kind="ghost" icon={<Plus />} onClick={() => setHeaders([...headers, { name: '', value: '' }])}>
          Add header
        </Button>
      </div>
    </form>
  )
}

function Headers(props: { headers: Header[]; fault: string | undefined; onChange(headers: Header[]): void }) {
  const { headers, fault, onChange } = props
  const change = (place: number, changes: Partial<Header>) =>
    onChange(headers.map((header, at) => (at === place ? { ...header, ...changes } : header)))
  return (
    <>
      {headers.map((header, at) => (
        <div className="grid grid-cols-[1fr_1fr_auto] items-end gap-3" key={at}>
          <Field label="Header">
            <TextInput
              value={header.name}
              onChange={(event) => change(at, { name: event.target.value })}
              placeholder="Authorization"
              spellCheck={false}
              autoComplete="off"
            />
          </Field>
          <Field label="Value">
            <TextInput
              type="password"
              value={header.value}
              onChange={(event) => change(at, { value: event.target.value })}
              autoComplete="new-password"
            />
          </Field>
          <IconButton
            label={`Remove header ${header.name}`.trim()}
            icon={<X />}
            onClick={() => onChange(headers.filter((_, place) => place !== at))}
          />
        </div>
      ))}
      {fault !== undefined && <p className="text-xs text-danger" role="alert">{fault}</p>}
    </>
  )
}
