import { fixedWidth, safeInt64, type ColumnWriter } from './column-writer.ts'
import { writeInfinity, writeTimestamp } from './encode-times.ts'

const infiniteTimestamp = 0x7fff_ffff_ffff_ffffn
const microsPerDay = 86_400_000_000

/** TIMESTAMP in its four resolutions, with or without zone: all are instants in UTC. */
export function timestampWriter(unitsPerSecond: number): ColumnWriter {
  const unitsPerDay = 86_400 * unitsPerSecond
  const microsPerUnit = 1_000_000 / unitsPerSecond
  return fixedWidth('timestamp', 8, ({ view }) => (out, row) => {
    const value = safeInt64(view, row * 8)
    if (value !== undefined && microsPerUnit >= 1) {
      const days = Math.floor(value / unitsPerDay)
      return writeTimestamp(out, days, (value - days * unitsPerDay) * microsPerUnit, 0)
    }
    const exact = view.getBigInt64(row * 8, true)
    if (exact === infiniteTimestamp || exact === -infiniteTimestamp) return writeInfinity(out, exact < 0n)
    const nanos = exact * BigInt(1_000_000_000 / unitsPerSecond)
    const micros = floorDivide(nanos, 1000n)
    const days = floorDivide(micros, BigInt(microsPerDay))
    const microsOfDay = Number(micros - days * BigInt(microsPerDay))
    return writeTimestamp(out, Number(days), microsOfDay, Number(nanos - micros * 1000n))
  })
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor
  return value < 0n && quotient * divisor !== value ? quotient - 1n : quotient
}
