/** The run's lease belongs to another worker by now: whoever held it stops, and writes nothing more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
