/**
 * How often what goes wrong, for each call of a port; 0 in many runs, so that each kind is also seen without the
 * others.
 */
export interface FaultRates {
  crash: number
  stall: number
  suspension: number
  wallJump: number
  storeError: number
  storeOutage: number
  slowStore: number
  lostWakeup: number
  partialRecord: number
  partition: number
  resultError: number
}
