import { type SubmitEvent, useState } from 'react'
import { addDataConnector } from '../../api/data-connectors.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'

interface Header {
  name: string
  value: string
}

/** Adds a data connector. The values of its headers cannot be read again. */
export function ConnectorForm({ onAdded }: { onAdded(): void }) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [headers, setHeaders] = useState<Header[]>([])
  const adding = useAction()
  const { error } = adding
  const headersFault = faultAt(error, '/headers')
  const changeHeader = (place: number, changes: Partial<Header>) =>
    setHeaders(headers.map((header, at) => (at === place ? { ...header, ...changes } : header)))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    adding.run(async () => {
      const named = headers.filter((header) => header.name.trim() !== '')
      const given = Object.fromEntries(named.map((header) => [header.name.trim(), header.value]))
      await addDataConnector({ name: name.trim(), url: url.trim(), headers: given })
      setName('')
      setUrl('')
      setHeaders([])
      onAdded()
    })
  }
  return (
    <form className="card settings-form" onSubmit={submit} noValidate aria-label="New data connector">
      <Field label="Name of the connector" fault={faultAt(error, '/name')}>
        <input
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder="Customer records"
          autoComplete="off"
        />
      </Field>
      <Field label="URL" fault={faultAt(error, '/url')}>
        <input
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          placeholder="https://tools.example.com/mcp"
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
      {headers.map((header, at) => (
        <div className="header-row" key={at}>
          <Field label="Header">
            <input
              value={header.name}
              onChange={(event) => changeHeader(at, { name: event.target.value })}
              placeholder="Authorization"
              spellCheck={false}
              autoComplete="off"
            />
          </Field>
          <Field label="Value">
            <input
              type="password"
              value={header.value}
              onChange={(event) => changeHeader(at, { value: event.target.value })}
              autoComplete="new-password"
            />
          </Field>
          <Button onClick={() => setHeaders(headers.filter((_, place) => place !== at))}>Remove</Button>
        </div>
      ))}
      {headersFault !== undefined && <span className="fault small" role="alert">{headersFault}</span>}
      {adding.message !== undefined && <Problem message={adding.message} />}
      <div className="actions">
        <Button type="submit" kind="primary" disabled={adding.isBusy}>Add connector</Button>
        <Button onClick={() => setHeaders([...headers, { name: '', value: '' }])}>Add a header</Button>
      </div>
    </form>
  )
}
