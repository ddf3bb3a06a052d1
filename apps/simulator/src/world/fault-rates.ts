/** The rate of each fault per port call. Many are 0 in many runs, so that each kind also occurs without the others. */
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
