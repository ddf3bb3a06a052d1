/** Another worker holds the run's lease now. The previous holder stops and writes nothing more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
