import { Plus, Trash2 } from 'lucide-react'
import type { ServerEngine, TlsMode } from '../../api/databases.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Choice, Select, TextInput } from '../../ui/inputs.tsx'
import { CertificateField } from './certificate-field.tsx'
import { ConnectionStringField } from './connection-string-field.tsx'
import { type ServerDraft, defaultsOf, serverPlaceOf } from './server-draft.ts'
import type { Connection } from './use-connection.ts'

const tlsLabels: Record<TlsMode, { label: string; hint: string }> = {
  verified: {
    label: 'Required, verify certificate (recommended)',
    hint: 'The only safe choice across networks that you don’t control.',
  },
  encrypted: {
    label: 'Required, don’t verify certificate',
    hint: 'Protects against eavesdropping, but an attacker who redirects the connection can impersonate the server and get the password.',
  },
  off: {
    label: 'Off',
    hint: 'Only on a network that you trust. Queries, results and possibly the password can be read in transit.',
  },
}

/** The fields of a database server's settings. */
export function ServerFields(props: { engine: ServerEngine; connection: Connection; hasStoredPassword: boolean }) {
  const { engine, hasStoredPassword, connection: { draft, change, faultAt } } = props
  const defaults = defaultsOf(engine, draft.tls)
  const place = serverPlaceOf(engine)
  const portFault = faultAt('/settings/port')
  // An error message needs more room than a port number.
  const hostAndPort = portFault === undefined ? 'sm:grid-cols-[minmax(0,1fr)_7rem]' : 'sm:grid-cols-2'
  return (
    <>
      <ConnectionStringField key={engine} engine={engine} change={change} />
      <div className={`grid gap-4 ${hostAndPort}`}>
        <Field label="Host" fault={faultAt('/settings/host')}>
          <TextInput
            value={draft.host}
            placeholder={defaults.host || 'warehouse.example.com'}
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => change({ host: event.target.value })}
          />
        </Field>
        <Field label="Port" fault={portFault}>
          <TextInput
            value={draft.port}
            inputMode="numeric"
            placeholder={String(defaults.port)}
            onChange={(event) => change({ port: event.target.value })}
          />
        </Field>
      </div>
      <Field
        label={place.database?.label ?? 'Database'}
        fault={faultAt('/settings/database')}
        {...(place.database?.hint !== undefined && { hint: place.database.hint })}
      >
        <TextInput
          value={draft.database}
          placeholder={defaults.database}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => change({ database: event.target.value })}
        />
      </Field>
      <EngineOptions {...props} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={place.user?.label ?? 'User'}
          fault={faultAt('/settings/user')}
          hint={place.user?.hint ?? 'Use a read-only account.'}
        >
          <TextInput
            value={draft.user}
            placeholder={defaults.user}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => change({ user: event.target.value })}
          />
        </Field>
        <PasswordField label={place.password?.label ?? 'Password'} draft={draft} change={change} fault={faultAt('/password')} hasStoredPassword={hasStoredPassword} />
      </div>
      <Field label="Encryption (TLS)" fault={faultAt('/settings/tls')} hint={tlsLabels[draft.tls].hint}>
        <Select value={draft.tls} onChange={(event) => change({ tls: event.target.value as TlsMode })}>
          {(Object.keys(tlsLabels) as TlsMode[]).map((mode) => (
            <option key={mode} value={mode}>{tlsLabels[mode].label}</option>
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
  label: string
  draft: ServerDraft
  change: Change
  fault: string | undefined
  hasStoredPassword: boolean
}) {
  const { label, draft, change, fault, hasStoredPassword } = props
  return (
    <div className="grid content-start gap-2">
      <Field
        label={label}
        fault={fault}
        {...(hasStoredPassword && !draft.isPasswordRemoved && { hint: 'Leave blank to keep the saved password.' })}
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

/** Settings that only this engine has. */
function EngineOptions({ engine, connection: { draft, change, faultAt } }: { engine: ServerEngine; connection: Connection }) {
  const { options = [] } = serverPlaceOf(engine)
  const changeOne = (name: string, value: string) => change({ options: { ...draft.options, [name]: value } })
  return options.map(({ name, label, hint, choices }) => (
    <Field key={name} label={label} fault={faultAt(`/settings/options/${name}`)} {...(hint !== undefined && { hint })}>
      {choices ? (
        <Select value={draft.options[name] ?? choices[0]!.value} onChange={(event) => changeOne(name, event.target.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>{choice.label}</option>
          ))}
        </Select>
      ) : (
        <TextInput
          value={draft.options[name] ?? ''}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => changeOne(name, event.target.value)}
        />
      )}
    </Field>
  ))
}

/** Fallback hosts with the same data. */
function OtherHosts({ engine, connection: { draft, change, faultAt } }: { engine: ServerEngine; connection: Connection }) {
  const { otherHosts } = draft
  const changeOne = (at: number, changed: Partial<(typeof otherHosts)[number]>) =>
    change({ otherHosts: otherHosts.map((place, index) => (index === at ? { ...place, ...changed } : place)) })
  return (
    <fieldset className="grid justify-items-start gap-2">
      <legend className="mb-1 text-xs font-medium">Fallback hosts</legend>
      {otherHosts.map((place, index) => (
        // A host is identified only by its position.
        <div key={index} className="grid w-full grid-cols-[minmax(0,1fr)_6rem_auto] items-start gap-2">
          <Field isLabelHidden label={`Fallback host ${index + 1}`} fault={faultAt(`/settings/otherHosts/${index}/host`)}>
            <TextInput
              value={place.host}
              placeholder="replica.example.com"
              spellCheck={false}
              autoCapitalize="none"
              onChange={(event) => changeOne(index, { host: event.target.value })}
            />
          </Field>
          <Field isLabelHidden label={`Port of fallback host ${index + 1}`} fault={faultAt(`/settings/otherHosts/${index}/port`)}>
            <TextInput
              value={place.port}
              inputMode="numeric"
              placeholder={String(defaultsOf(engine, draft.tls).port)}
              onChange={(event) => changeOne(index, { port: event.target.value })}
            />
          </Field>
          <IconButton
            label={`Remove fallback host ${index + 1}`}
            icon={<Trash2 />}
            onClick={() => change({ otherHosts: otherHosts.filter((_, each) => each !== index) })}
          />
        </div>
      ))}
      <p className="text-xs text-soft">Replicas or other servers of the cluster, tried in order if the host above can’t be reached.</p>
      {otherHosts.length < 8 && (
        <Button size="small" icon={<Plus />} onClick={() => change({ otherHosts: [...otherHosts, { host: '', port: '' }] })}>
          Add host
        </Button>
      )}
    </fieldset>
  )
}
