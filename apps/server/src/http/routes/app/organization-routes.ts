import { Type } from 'typebox'
import { addOrganization, editOrganization, getOrganization } from '../../../domain/people/organization-settings.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { closed } from '../../schemas.ts'
import { AddedOrganization, ChartPalette, CostLimits, Organization } from '../../schemas/people-schemas.ts'
import { tokenOf } from '../../session-cookie.ts'
import type { Api } from '../../typed.ts'

/** The caller's organization: members can read it, admins can change its settings and add another organization. */
export function organizationRoutes(api: Api, services: PeopleServices): void {
  api.get('/app/api/organization', { schema: { response: { 200: Organization } } }, async (request) =>
    getOrganization(services, callerOf(request)),
  )

  api.patch(
    '/app/api/organization',
    {
      schema: {
        body: Type.Object(
          {
            name: Type.Optional(Type.String()),
            webhooksEnabled: Type.Optional(Type.Boolean()),
            chartPalette: Type.Optional(ChartPalette),
            publicLinksEnabled: Type.Optional(Type.Boolean()),
            memberUploadsEnabled: Type.Optional(Type.Boolean()),
            costLimits: Type.Optional(CostLimits),
            secondFactorRequired: Type.Optional(Type.Boolean()),
            ssoRequired: Type.Optional(Type.Boolean()),
          },
          closed,
        ),
        response: { 200: Organization },
      },
    },
    async (request) => editOrganization(services, callerOf(request), { ...request.body, token: tokenOf(request) }),
  )

  api.post(
    '/app/api/organizations',
    { schema: { body: Type.Object({ name: Type.String() }, closed), response: { 201: AddedOrganization } } },
    async (request, reply) => reply.code(201).send(await addOrganization(services, callerOf(request), request.body)),
  )
}
