export { abortAfter, type Clock, systemClock } from '../src/ports/clock.ts'
export {
  NameError,
  type Network,
  type PostAnswer,
  type PostRequest,
  type VettedAddress,
} from '../src/ports/network/network.ts'
export { fraction, type Random, secureRandom } from '../src/ports/random.ts'
export { makeTaskGroup } from '../src/ports/task-group.ts'
