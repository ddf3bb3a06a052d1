/** The characters of the service's ids, in code point order. */
const idCharacters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz'

const timeCharacters = Array.from({ length: 8 }, (_, place) => {
  const unit = idCharacters.length ** (7 - place)
  return `substr('${idCharacters}', (floor(extract(epoch from at) * 1000)::bigint / ${unit} % ${idCharacters.length})::integer + 1, 1)`
}).join(' || ')

/**
 * Functions of the filling session. They make what the service makes with random numbers, from the number of a row, so that rows can be
 * named without being looked up. Arguments are columns and constants, so that PostgreSQL can inline
 * the functions. It inlines none that claims to be immutable: texts of times and numbers depend on settings.
 */
export const fillFunctions = (now: Date): string[] => [
  // The time of row number i of n, which are spread evenly over the last days. Rows are written in this order, as in production.
  `create function pg_temp.time_of(i bigint, n bigint, days double precision) returns timestamptz language sql stable
   return timestamptz '${now.toISOString()}' - (n - i + 1) * (days * 86400.0 / n) * interval '1 second'`,
  // A pseudorandom number in [0, 1).
  `create function pg_temp.chance(i bigint) returns double precision language sql stable
   return (hashint8(i) & 2147483647) / 2147483648.0`,
  // Row 1 of everything belongs to the largest organization, number 1.
  `create function pg_temp.organization_of(i bigint, organizations integer) returns bigint language sql stable
   return case when i = 1 then 1 else floor(exp(pg_temp.chance(i) * ln(organizations + 1.0::double precision)))::bigint end`,
  `create function pg_temp.new_id(prefix text, i bigint) returns text language sql stable
   return prefix || '_' || translate(substr(md5(prefix || i), 1, 22), '01', 'gh')`,
  // Ten characters of a hash would not be unique among a million.
  `create function pg_temp.short_id(kind text, i bigint) returns text language sql stable
   return translate(substr(md5(kind || i), 1, 3) || lpad(to_hex(i), 7, '0'), '01', 'gh')`,
  `create function pg_temp.ordered_id(prefix text, at timestamptz, i bigint) returns text language sql stable
   return prefix || '_' || ${timeCharacters} || translate(substr(md5(prefix || i), 1, 14), '01', 'gh')`,
  // UUID version 7.
  `create function pg_temp.query_id(i bigint, at timestamptz) returns uuid language sql stable
   return (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5('query' || i), 1, 3) || '8'
     || substr(md5('query' || i), 4, 15))::uuid`,
  // The n-th of the members of organization k; the first is its admin.
  `create function pg_temp.user_id(k bigint, n bigint) returns text language sql stable
   return pg_temp.new_id('user', k * 1000 + n)`,
  `create function pg_temp.iso(at timestamptz) returns text language sql stable
   return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
]
