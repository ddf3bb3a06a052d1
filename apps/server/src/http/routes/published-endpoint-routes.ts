import { Type } from 'typebox'
import { readKeptPage } from '../../domain/pagination/kept-list.ts'
import type { WebhookServices } from '../../domain/services.ts'
import {
  createEndpoint,
  deleteEndpoint,
  editEndpoint,
  endpointVersion,
  getEndpoint,
  listEndpoints,
} from '../../domain/webhooks/endpoints/endpoints.ts'
import { activateNextSecret, rotateSecret } from '../../domain/webhooks/endpoints/secrets.ts'
import type { Endpoint as StoredEndpoint, EndpointInFull } from '../../model/endpoint.ts'
import { callerOf } from '../authenticate.ts'
import { optionalBody } from '../body-parsers.ts'
import { OptionalIfMatch, readBasedOn, versioned, withEtag } from '../if-match.ts'
import { presentEndpoint } from '../present-endpoint.ts'
import { responses } from '../responses.ts'
import { closed, PageQuery, pageOf, published, unnamed } from '../schemas.ts'
import { CreatedEndpoint, Endpoint, EndpointChange, EndpointSecrets, GivenEndpoint } from '../schemas/webhook-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Webhook endpoints']
const Params = Type.Object({ id: Type.String({ description: 'The endpoint’s id.', examples: ['we_7p2k'] }) })

const PublishedEndpoint = versioned(
  published(Endpoint, 'WebhookEndpoint', 'A URL that receives events as signed requests, without its secret.'),
)
const PublishedCreated = versioned(
  published(CreatedEndpoint, 'CreatedWebhookEndpoint', 'A new endpoint with the secret that signs its deliveries.'),
)
const PublishedSecrets = published(EndpointSecrets, 'WebhookSecrets', 'The secret that signs, and the one that signs once it is activated.')
const NewEndpoint = unnamed(published(GivenEndpoint, 'NewWebhookEndpoint', 'An endpoint to create.'))
const GivenChange = unnamed(published(EndpointChange, 'WebhookEndpointChange', 'The fields to change.'))

/** Webhook endpoints for programs, with the permissions of an admin. Not part of the retired API. */
export function publishedEndpointRoutes(api: Api, services: WebhookServices): void {
  api.get(
    '/api/webhook-endpoints',
    {
      config: { scope: 'admin:webhooks' },
      schema: {
        operationId: 'webhookEndpoints.list',
        tags,
        summary: 'List webhook endpoints, newest first',
        description:
          'Lists the organization’s endpoints without their secrets, page by page. All pages show the list and every field as of the first page. Only for admins.',
        querystring: PageQuery,
        response: responses(200, pageOf('WebhookEndpointPage', PublishedEndpoint), ['forbidden', 'cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) =>
      readKeptPage(services, callerOf(request), {
        list: 'webhook endpoints',
        request: request.query,
        readItems: async (count) => {
          const endpoints = await listEndpoints(services, callerOf(request))
          return endpoints.toSorted(newestFirst).slice(0, count).map(present)
        },
      }),
  )

  api.post(
    '/api/webhook-endpoints',
    {
      config: { scope: 'admin:webhooks' },
      schema: {
        operationId: 'webhookEndpoints.create',
        tags,
        summary: 'Create a webhook endpoint',
        description: 'Returns the endpoint with its `secret`. Store it: no other route returns it, except for a rotation.',
        body: NewEndpoint,
        response: responses(201, PublishedCreated, ['forbidden', 'body_too_large']),
      },
    },
    async (request, reply) =>
      reply.code(201).send(withEtag(reply, present(await createEndpoint(services, callerOf(request), request.body)))),
  )

  api.get(
    '/api/webhook-endpoints/:id',
    {
      config: { scope: 'admin:webhooks' },
      schema: {
        operationId: 'webhookEndpoints.get',
        tags,
        summary: 'Retrieve a webhook endpoint',
        description: 'Returns the endpoint with its state and the outcomes of its last deliveries, without its secret. Only for admins.',
        params: Params,
        response: responses(200, PublishedEndpoint, ['forbidden', 'endpoint_not_found']),
      },
    },
    async (request, reply) => withEtag(reply, present(await getEndpoint(services, callerOf(request), request.params.id))),
  )

  api.patch(
    '/api/webhook-endpoints/:id',
    {
      config: { scope: 'admin:webhooks' },
      schema: {
        operationId: 'webhookEndpoints.update',
        tags,
        summary: 'Change a webhook endpoint',
        description: 'Changes only the given fields. A changed URL also applies to pending deliveries. Only for admins.',
        params: Params,
        headers: OptionalIfMatch,
        body: GivenChange,
        response: responses(200, PublishedEndpoint, ['forbidden', 'endpoint_not_found', 'version_conflict', 'body_too_large']),
      },
    },
    async (request, reply) =>
      withEtag(reply, present(await editEndpoint(services, callerOf(request), request.params.id, request.body, readBasedOn(request)))),
  )

  api.delete(
    '/api/webhook-endpoints/:id',
    {
      config: { scope: 'admin:webhooks' },
      schema: {
        operationId: 'webhookEndpoints.delete',
        tags,
        summary: 'Delete a webhook endpoint',
        description: 'Returns the deleted endpoint. It receives nothing from now on, and its log is removed. Only for admins.',
        params: Params,
        headers: OptionalIfMatch,
        response: responses(200, PublishedEndpoint, ['forbidden', 'endpoint_not_found', 'version_conflict', 'body_too_large']),
      },
    },
    async (request) => {
      const endpoint = await getEndpoint(services, callerOf(request), request.params.id)
      await deleteEndpoint(services, callerOf(request), endpoint.id, readBasedOn(request))
      return present(endpoint)
    },
  )

  api.post(
    '/api/webhook-endpoints/:id/rotate-secret',
    {
      ...optionalBody,
      config: { scope: 'admin:webhooks', ...optionalBody.config },
      schema: {
        operationId: 'webhookEndpoints.rotateSecret',
        tags,
        summary: 'Rotate the secret of a webhook endpoint',
        description:
          'Creates the next secret, or returns the one that already exists. Give it to your receiver, then call this again with `activate`: from the next attempt on it signs, and the previous one is deleted. Only for admins.',
        params: Params,
        body: Type.Object(
          { activate: Type.Optional(Type.Boolean({ description: 'Makes the next secret the current one.', examples: [false] })) },
          closed,
        ),
        response: responses(200, PublishedSecrets, ['forbidden', 'endpoint_not_found', 'next_secret_missing', 'secret_unreadable', 'body_too_large']),
      },
    },
    async (request) => {
      const act = request.body.activate ? activateNextSecret : rotateSecret
      return act(services, callerOf(request), request.params.id)
    },
  )
}

const present = <Shown extends StoredEndpoint>(endpoint: Shown) => ({ ...presentEndpoint(endpoint), version: endpointVersion(endpoint) })

const newestFirst = (a: EndpointInFull, b: EndpointInFull) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)
