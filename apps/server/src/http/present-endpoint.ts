import type { Endpoint } from '../model/endpoint.ts'
import { timesAsText } from './times-as-text.ts'

export const presentEndpoint = <Shown extends Endpoint>({ organizationId: _, ...endpoint }: Shown) => timesAsText(endpoint)
