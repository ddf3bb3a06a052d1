import { Plus, Trash2 } from 'lucide-react'
import type { ServerEngine, TlsMode } from '../../api/databases.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Choice, Select, TextInput } from '../../ui/inputs.tsx'
import { CertificateField } from './certificate-field.tsx'
import { type ServerDraft, usualOf } from './server-draft.ts'
import type { Connection } from './use-connection.ts'

const tlsWords: Record<TlsMode, { label: string; hint: string }> = {
  verified: {
    label: 'Encrypted, and the server proves who it is',
    hint: 'The only way that is safe on networks of others.',
  },
  encrypted: {
    label: 'Encrypted, with whoever answers',
    hint: 'Nobody can listen, but whoever can redirect the connection can take the server’s place and get the password.',
  },
  off: {
    label: 'Not encrypted',
    hint: 'Only within a network that you trust: what is asked and answered can be read on the way, and perhaps the password.',
  },
}

/** The fields of a database server's settings. */
export function ServerFields(props: { engine: ServerEngine; connection: Connection; hasStoredPassword: boolean }) {
  const { engine, hasStoredPassword, connection: { draft, change, faultAt } } = props
  const usual = usualOf(engine, draft.tls)
  const portFault = faultAt('/settings/port')
  // A fault is a sentence or two, and needs more room than a number.
  const hostAndPort = portFault === undefined ? 'sm:grid-cols-[minmax(0,1fr)_7rem]' : 'sm:grid-cols-2'
  return (
    <>
      <div className={`grid gap-4 ${hostAndPort}`}>
        <Field label="Host" fault={faultAt('/settings/host')}>
          <TextInput
            value={draft.host}
            placeholder="warehouse.example.com"
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => change({ host: event.target.value })}
          />
        </Field>
        <Field label="Port" fault={portFault}>
          <TextInput
            value={draft.port}
            inputMode="numeric"
            placeholder={String(usual.port)}
            onChange={(event) => change({ port: event.target.value })}
          />
        </Field>
      </div>
      <Field label="Database" fault={faultAt('/settings/database')}>
        <TextInput
          value={draft.database}
          placeholder={usual.database}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => change({ database: event.target.value })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="User"
          fault={faultAt('/settings/user')}
          hint="Best one that may read and nothing else."
        >
          <TextInput
            value={draft.user}
            placeholder={usual.user}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => change({ user: event.target.value })}
          />
        </Field>
        <PasswordField draft={draft} change={change} fault={faultAt('/password')} hasStoredPassword={hasStoredPassword} />
      </div>
      <Field label="Encryption (TLS)" fault={faultAt('/settings/tls')} hint={tlsWords[draft.tls].hint}>
        <Select value={draft.tls} onChange={(event) => change({ tls: event.target.value as TlsMode })}>
          {(Object.keys(tlsWords) as TlsMode[]).map((mode) => (
            <option key={mode} value={mode}>{tlsWords[mode].label}</option>
          ))}
        </Select>
      </Field>
      {draft.tls === 'verified' && (
        <CertificateField
          value={draft.certificateAuthority}
          fault={faultAt('/settings/certificateAuthority')}
          onChange={(certificateAuthority) => change({ certificateAuthority })}
        />
      )}
      <OtherHosts {...props} />
    </>
  )
}

type Change = (changed: Partial<ServerDraft>) => void

function PasswordField(props: {
  draft: ServerDraft
  change: Change
  fault: string | undefined
  hasStoredPassword: boolean
}) {
  const { draft, change, fault, hasStoredPassword } = props
  return (
    <div className="grid content-start gap-2">
      <Field
        label="Password"
        fault={fault}
        {...(hasStoredPassword && !draft.isPasswordRemoved && { hint: 'Leave it empty to keep the one that is stored.' })}
      >
        <TextInput
          type="password"
          value={draft.password}
          autoComplete="new-password"
          disabled={draft.isPasswordRemoved}
          {...(hasStoredPassword && { placeholder: '••••••••' })}
          onChange={(event) => change({ password: event.target.value })}
        />
      </Field>
      {hasStoredPassword && (
        <Choice
          label="Connect without a password"
          checked={draft.isPasswordRemoved}
          onChange={(event) => change({ isPasswordRemoved: event.target.checked, password: '' })}
        />
      )}
    </div>
  )
}

/** Where the same data is to be had when the first host cannot be reached. */
function OtherHosts({ engine, connection: { draft, change, faultAt } }: { engine: ServerEngine; connection: Connection }) {
  const { otherHosts } = draft
  const changeOne = (at: number, changed: Partial<(typeof otherHosts)[number]>) =>
    change({ otherHosts: otherHosts.map((place, index) => (index === at ? { ...place, ...changed } : place)) })
  return (
    <fieldset className="grid justify-items-start gap-2">
      <legend className="mb-1 text-xs font-medium">Other hosts with the same data</legend>
      {otherHosts.map((place, index) => (
        // Places have no identity but their position.
        <div key={index} className="grid w-full grid-cols-[minmax(0,1fr)_6rem_auto] items-start gap-2">
          <Field isLabelHidden label={`Other host ${index + 1}`} fault={faultAt(`/settings/otherHosts/${index}/host`)}>
            <TextInput
              value={place.host}
              placeholder="replica.example.com"
              spellCheck={false}
              autoCapitalize="none"
              onChange={(event) => changeOne(index, { host: event.target.value })}
            />
          </Field>
          <Field isLabelHidden label={`Port of other host ${index + 1}`} fault={faultAt(`/settings/otherHosts/${index}/port`)}>
            <TextInput
              value={place.port}
              inputMode="numeric"
              placeholder={String(usualOf(engine, draft.tls).port)}
              onChange={(event) => changeOne(index, { port: event.target.value })}
            />
          </Field>
          <IconButton
            label={`Remove other host ${index + 1}`}
            icon={<Trash2 />}
            onClick={() => change({ otherHosts: otherHosts.filter((_, each) => each !== index) })}
          />
        </div>
      ))}
      <p className="text-xs text-soft">Tried in order when the host above cannot be reached: replicas, or other servers of a cluster.</p>
      {otherHosts.length < 8 && (
        <Button size="small" icon={<Plus />} onClick={() => change({ otherHosts: [...otherHosts, { host: '', port: '' }] })}>
          Add a host
        </Button>
      )}
    </fieldset>
  )
}
