import { called, filled, type FilledTable, numbers, organizationId, owner } from './filled-table.ts'
import { busyEndpoint, type Sizes } from '../sizes.ts'
import { eventTypesInSql } from './people.ts'

const days = 31

const eventsOf = (sizes: Sizes) =>
  `${numbers('i', sizes.events)}, ${owner(sizes)}, ${called('at', `pg_temp.time_of(i, ${sizes.events}, ${days})`)}`

const eventId = `pg_temp.ordered_id('evt', at, i)`
const automationId = `pg_temp.new_id('automation', i)`

/**
 * Deliveries of the busiest endpoint in the last six days: more than a chart or a page of the log reads, whatever the size of the store.
 */
const busyDeliveries = 6000
const busyEvents = `${numbers('i', busyDeliveries)}, ${called('k', '1')}, ${called('at', `pg_temp.time_of(i, ${busyDeliveries}, 6)`)},
  ${called('iso_time', 'pg_temp.iso(at)')}, ${called('event_id', `pg_temp.ordered_id('evt', at, 1000000000 + i)`)}`

export const tablesOfWebhooks: FilledTable[] = [
  filled('webhook_events', () => ({
    from: busyEvents,
    row: {
      id: 'event_id',
      organization_id: organizationId,
      type: `'automation.run.completed'`,
      created_at: 'at',
      body: `'{"id":"' || event_id || '","type":"automation.run.completed","createdAt":"' || iso_time || '","data":{}}'`,
    },
  })),
  filled('webhook_deliveries', () => ({
    from: `${busyEvents}, ${called('m', String(busyEndpoint))}`,
    row: {
      id: `pg_temp.ordered_id('dlv', at, 10000000000 + i)`,
      event_id: 'event_id',
      endpoint_id: `pg_temp.new_id('we', ${100 + busyEndpoint})`,
      state: `'delivered'`,
      is_test: 'false',
      created_at: 'at',
      attempt_count: '1',
      attempts: `(${attempt('1', '200', 'null')})::jsonb`,
      lease_number: '1',
      ended_at: `at + interval '80 milliseconds'`,
    },
  })),
  filled('webhook_events', (sizes) => ({
    from: `${eventsOf(sizes)}, ${called('id', eventId)}, ${called('type', `(array[${eventTypesInSql}])[1 + i % 8]`)}`,
    row: {
      id: 'id',
      organization_id: organizationId,
      type: 'type',
      created_at: 'at',
      body: `'{"id":"' || id || '","type":"' || type || '","createdAt":"' || pg_temp.iso(at) || '","data":{"automationId":"' || ${automationId}
        || '","automationName":"Every morning","runId":"' || pg_temp.new_id('arun', i) || '","chatUrl":"https://querypost.example/chats/'
        || pg_temp.short_id('chat', i) || '","summary":"Revenue was 12,345.60 yesterday, 8.2 % more than the day before.","imageUrl":null}}'`,
    },
  })),
  filled('webhook_deliveries', (sizes) => ({
    // The last two endpoints are a day old.
    from: `${eventsOf(sizes)} cross join ${numbers('m', 9, 0)}, ${called('state', stateOf(sizes))}, ${called('iso_time', 'pg_temp.iso(at)')}
      where (i - m + 16) % 8 <= 2 and (m < 8 or at >= pg_temp.time_of(1, 1, 1))`,
    row: {
      id: `pg_temp.ordered_id('dlv', at, i * 10 + m)`,
      event_id: eventId,
      endpoint_id: `pg_temp.new_id('we', k * 100 + m)`,
      state: 'state',
      is_test: 'false',
      created_at: 'at',
      attempt_count: `case state when 'exhausted' then 8 when 'held' then 0 else 1 end`,
      attempts: `case state when 'held' then '[]' when 'delivered' then (${attempt('1', '200', 'null')})::jsonb
        when 'pending' then (${attempt('1', '503', failure)})::jsonb
        else ${Array.from({ length: 8 }, (_, index) => `(${attempt(String(index + 1), '503', failure)})::jsonb`).join(' || ')} end`,
      lease_number: `case state when 'exhausted' then 8 when 'held' then 0 else 1 end`,
      next_attempt_at: `case state when 'pending' then pg_temp.time_of(1, 1, 0) + interval '6 hours' + i % 300 * interval '1 minute' end`,
      held_at: `case state when 'held' then at end`,
      ended_at: `case when state in ('delivered', 'exhausted') then at + interval '80 milliseconds' end`,
    },
  })),
]

/** One of 200 was given up, and of the first endpoint's latest ones one of 4, so that there are pages of them. Of the last hundredth, one of 100 has failed and is due again when the measurements are over. A disabled endpoint's deliveries are held. */
const stateOf = ({ events }: Sizes) => `case
  when m = 9 and k % 5 = 1 and at >= pg_temp.time_of(1, 1, 0.5) then 'held'
  when (hashint8(i * 10 + m) & 1023) < 5 or m = 0 and k = 1 and i > ${events} - 4000 and (hashint8(i * 10 + m) & 3) = 0 then 'exhausted'
  when i > ${events} - ${Math.ceil(events / 100)} and (hashint8(i * 10 + m) & 1023) < 15 then 'pending'
  else 'delivered' end`

const failure = '{"kind":"status_not_2xx","message":"The endpoint answered 503."}'

/** An attempt as JSON text, as domain/webhooks/sending/attempt.ts makes it. */
function attempt(number: string, status: string, failed: string): string {
  return `'[{"number":${number},"at":"' || iso_time || '","durationMs":42.5,"phases":{"dnsMs":0.4,"connectMs":2.1,"tlsMs":3.9,'
    || '"responseMs":35.2,"bodyMs":0.9},"signed":{"timestamp":"' || floor(extract(epoch from at)) || '","signature":"v1,' || md5(i::text) || md5(m::text)
    || '"},"address":"192.0.2.7","status":${status},"response":"ok","failure":${failed}}]'`
}
