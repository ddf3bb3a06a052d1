import { Type } from 'typebox'
import { replayStates } from '../../model/delivery-log.ts'
import { type AttemptFailure, deliveryStates } from '../../model/delivery.ts'
import { endpointDescriptionMaxLength } from '../../domain/webhooks/endpoints/check-endpoint.ts'
import { endpointStates, heldCountMax } from '../../model/endpoint.ts'
import { seriesPeriods } from '../../model/endpoint-series.ts'
import { eventTypes } from '../../model/event-type.ts'
import {
  closed,
  described,
  namedEnum,
  NullableInteger,
  NullableNumber,
  NullableText,
  NullableTimestamp,
  orNull,
  Timestamp,
} from '../schemas.ts'

/** Webhook endpoints and the log of their deliveries. */
export const EventType = namedEnum('EventType', eventTypes)
export const DeliveryState = namedEnum('DeliveryState', deliveryStates)
export const SeriesPeriod = namedEnum('SeriesPeriod', seriesPeriods)
export const ReplayState = namedEnum('ReplayState', replayStates)

const endpointFields = {
  id: Type.String(),
  url: Type.String(),
  description: NullableText,
  eventTypes: Type.Array(EventType),
  isOrdered: Type.Boolean({ description: 'Events of the same automation or query are sent one after the other.' }),
  state: namedEnum('EndpointState', endpointStates),
  consecutiveFailures: Type.Integer({ description: 'Consecutive events that exhausted all attempts.' }),
  disabledAt: NullableTimestamp,
  disabledReason: NullableText,
  createdBy: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  health: Type.Object(
    {
      delivered: Type.Integer(),
      exhausted: Type.Integer(),
      pending: Type.Integer(),
      retrying: Type.Integer({ description: 'Pending deliveries that have failed at least once.' }),
      held: Type.Integer(),
      durationP95Ms: NullableNumber,
      lastFailure: orNull(Type.Object({ deliveryId: Type.String(), at: Timestamp, message: Type.String() })),
    },
    { title: 'EndpointHealth', description: 'Outcomes of the last 100 deliveries.' },
  ),
  heldCount: Type.Integer({ description: `Counted up to ${heldCountMax.toLocaleString('en-US')}.` }),
}

export const EndpointSeries = Type.Object(
  {
    parts: Type.Array(
      Type.Object(
        {
          at: Timestamp,
          delivered: Type.Integer(),
          retrying: Type.Integer(),
          exhausted: Type.Integer(),
          held: Type.Integer(),
        },
        { title: 'SeriesPart' },
      ),
    ),
    countedFrom: described(NullableTimestamp, 'Set if there were too many deliveries to count: the series starts here.'),
  },
  { title: 'EndpointSeries' },
)

export const Endpoint = Type.Object(endpointFields, { title: 'Endpoint' })

export const ListedEndpoint = Type.Object({ ...endpointFields, series: EndpointSeries }, { title: 'ListedEndpoint' })

export const CreatedEndpoint = Type.Object({ ...endpointFields, secret: Type.String() }, { title: 'CreatedEndpoint' })

const givenEndpoint = {
  url: Type.String({ examples: ['https://hooks.example/querypost'] }),
  description: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: endpointDescriptionMaxLength }),
  ),
  eventTypes: Type.Array(EventType, { minItems: 1, uniqueItems: true, examples: [['automation.run.completed']] }),
  isOrdered: Type.Optional(Type.Boolean()),
}

export const GivenEndpoint = Type.Object(givenEndpoint, { title: 'GivenEndpoint', ...closed })

export const EndpointChange = Type.Partial(Type.Object(givenEndpoint), { title: 'EndpointChange', ...closed })

export const EndpointSecrets = Type.Object(
  {
    secret: described(NullableText, 'Null if it cannot be decrypted.'),
    nextSecret: described(NullableText, 'Null if there is none.'),
  },
  { title: 'EndpointSecrets' },
)

export const UrlCheck = Type.Union(
  [
    Type.Object({ isAllowed: Type.Literal(true), url: Type.String(), addresses: Type.Array(Type.String()) }),
    Type.Object({ isAllowed: Type.Literal(false), reason: Type.String(), mayChange: Type.Boolean() }),
  ],
  { title: 'UrlCheck' },
)

export const DeliveryCount = Type.Object({ count: Type.Integer() }, { title: 'DeliveryCount' })

const attemptFields = {
  number: Type.Integer(),
  at: Timestamp,
  durationMs: Type.Number(),
  phases: Type.Object({
    dnsMs: NullableNumber,
    connectMs: NullableNumber,
    tlsMs: NullableNumber,
    responseMs: NullableNumber,
    bodyMs: NullableNumber,
  }),
  address: described(NullableText, 'The IP address that was contacted; null if none was.'),
  status: NullableInteger,
  failure: orNull(Type.Object({ kind: Type.Unsafe<AttemptFailure['kind']>({ type: 'string' }), message: Type.String() })),
}

const LoggedAttempt = Type.Object(attemptFields, { title: 'LoggedAttempt' })

const headersSent = Type.Record(Type.String(), Type.String())

const Attempt = Type.Object(
  {
    ...attemptFields,
    response: Type.String({ description: 'The first part of the response body.' }),
    requestHeaders: Type.Unsafe<Record<string, string> | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'string' },
      description: 'The headers as sent; null if nothing was sent.',
    }),
  },
  { title: 'Attempt' },
)

const deliveryFields = {
  id: Type.String(),
  eventId: Type.String(),
  eventType: EventType,
  endpointId: Type.String(),
  state: DeliveryState,
  isTest: Type.Boolean(),
  requestedBy: NullableText,
  requestedByName: NullableText,
  createdAt: Timestamp,
  nextAttemptAt: NullableTimestamp,
  isWaiting: Type.Boolean({ description: 'True while it waits for an earlier event of its key, at an endpoint that receives events in order.' }),
  endedAt: NullableTimestamp,
  heldAt: NullableTimestamp,
  attemptCount: Type.Integer(),
  isBeingSent: Type.Boolean({ description: 'Whether a worker is making an attempt right now.' }),
}

export const LoggedDelivery = Type.Object(
  { ...deliveryFields, attempts: Type.Array(LoggedAttempt) },
  { title: 'LoggedDelivery' },
)

export const Delivery = Type.Object(
  {
    ...deliveryFields,
    attempts: Type.Array(Attempt),
    request: Type.Object({ url: Type.String(), headers: headersSent, body: Type.String() }),
  },
  { title: 'Delivery' },
)
