/**
 * Tables with the schema and the sizes of TPC-H, made by DuckDB. Every value follows from the number of its row, so that the same scale always
 * gives the same rows. The distributions are simpler than those of TPC-H, so its published answers do not apply.
 */
export type TableName = keyof typeof columnsOf

/** With types that DuckDB, PostgreSQL, MySQL and ClickHouse (after `clickhouseType`) all know. */
export const columnsOf = {
  region: { r_regionkey: 'integer', r_name: 'varchar(25)', r_comment: 'varchar(152)' },
  nation: { n_nationkey: 'integer', n_name: 'varchar(25)', n_regionkey: 'integer', n_comment: 'varchar(152)' },
  supplier: {
    s_suppkey: 'integer', s_name: 'varchar(25)', s_address: 'varchar(40)', s_nationkey: 'integer', s_phone: 'varchar(15)',
    s_acctbal: 'decimal(15,2)', s_comment: 'varchar(101)',
  },
  customer: {
    c_custkey: 'integer', c_name: 'varchar(25)', c_address: 'varchar(40)', c_nationkey: 'integer', c_phone: 'varchar(15)',
    c_acctbal: 'decimal(15,2)', c_mktsegment: 'varchar(10)', c_comment: 'varchar(117)',
  },
  part: {
    p_partkey: 'integer', p_name: 'varchar(55)', p_mfgr: 'varchar(25)', p_brand: 'varchar(10)', p_type: 'varchar(25)', p_size: 'integer',
    p_container: 'varchar(10)', p_retailprice: 'decimal(15,2)', p_comment: 'varchar(23)',
  },
  partsupp: {
    ps_partkey: 'integer', ps_suppkey: 'integer', ps_availqty: 'integer', ps_supplycost: 'decimal(15,2)', ps_comment: 'varchar(199)',
  },
  orders: {
    o_orderkey: 'bigint', o_custkey: 'integer', o_orderstatus: 'varchar(1)', o_totalprice: 'decimal(15,2)', o_orderdate: 'date',
    o_orderpriority: 'varchar(15)', o_clerk: 'varchar(15)', o_shippriority: 'integer', o_comment: 'varchar(79)',
  },
  lineitem: {
    l_orderkey: 'bigint', l_partkey: 'integer', l_suppkey: 'integer', l_linenumber: 'integer', l_quantity: 'decimal(15,2)',
    l_extendedprice: 'decimal(15,2)', l_discount: 'decimal(15,2)', l_tax: 'decimal(15,2)', l_returnflag: 'varchar(1)',
    l_linestatus: 'varchar(1)', l_shipdate: 'date', l_commitdate: 'date', l_receiptdate: 'date', l_shipinstruct: 'varchar(25)',
    l_shipmode: 'varchar(10)', l_comment: 'varchar(44)',
  },
} as const

export const tableNames = Object.keys(columnsOf) as TableName[]

const nations =
  'ALGERIA 0,ARGENTINA 1,BRAZIL 1,CANADA 1,EGYPT 4,ETHIOPIA 0,FRANCE 3,GERMANY 3,INDIA 2,INDONESIA 2,IRAN 4,IRAQ 4,JAPAN 2,JORDAN 4,KENYA 0,' +
  'MOROCCO 0,MOZAMBIQUE 0,PERU 1,CHINA 2,ROMANIA 3,SAUDI ARABIA 4,VIETNAM 2,RUSSIA 3,UNITED KINGDOM 3,UNITED STATES 1'

const list = (words: string) => `[${words.split(',').map((word) => `'${word}'`).join(', ')}]`
/** A number from 0 to `below` - 1 that follows from the row `i` and the name of the column. */
const any = (column: string, below: number | string, row = 'i') => `(hash('${column}', ${row}) % (${below}))::bigint`
const pick = (column: string, words: string) => `${list(words)}[1 + ${any(column, words.split(',').length)}]`
const money = (column: string, cents: number, from = 0) => `((${any(column, cents)} + ${from}) / 100)::decimal(15,2)`
const words = (column: string) =>
  `${pick(`${column}1`, 'quick,final,special,bold,silent')} || ' ' || ${pick(`${column}2`, 'requests,deposits,packages,Customer Complaints,accounts')} || ' ' || ${pick(`${column}3`, 'sleep,haggle,nag,wake,requests')}`
const phone = (nation: string) => `(10 + ${nation})::varchar || '-' || (100 + ${any('phone', 900)})::varchar || '-555'`

const rows = (from: string, many: number) => `from range(1, ${many} + 1) as ${from}`

/** The statements that make all tables. Scale 1 has six million line items. */
export function createTables(scale: number): string[] {
  const count = (rows: number) => Math.max(1, Math.round(rows * scale))
  const [suppliers, customers, parts, orders] = [count(10_000), count(150_000), count(200_000), count(1_500_000)]
  const supplierOf = (part: string, number: string) => `1 + (${part} + ${number} * (${Math.max(1, Math.floor(suppliers / 4))} + 1)) % ${suppliers}`
  const selects: Record<TableName, string> = {
    region: `select i, ${list('AFRICA,AMERICA,ASIA,EUROPE,MIDDLE EAST')}[i + 1], 'region' from range(5) as r (i)`,
    nation: `select i, ${list(nations.replaceAll(/ \d/g, ''))}[i + 1], [${nations.match(/\d/g)!.join(', ')}][i + 1], 'nation' from range(25) as r (i)`,
    supplier: `select i, 'Supplier#' || lpad(i::varchar, 9, '0'), 'address ' || i, ${any('s_nation', 25)}, ${phone(any('s_nation', 25))},
      ${money('s_acctbal', 1_100_000, -100_000)}, ${words('s_comment')} ${rows('r (i)', suppliers)}`,
    customer: `select i, 'Customer#' || lpad(i::varchar, 9, '0'), 'address ' || i, ${any('c_nation', 25)}, ${phone(any('c_nation', 25))},
      ${money('c_acctbal', 1_100_000, -100_000)}, ${pick('c_segment', 'AUTOMOBILE,BUILDING,FURNITURE,HOUSEHOLD,MACHINERY')}, ${words('c_comment')}
      ${rows('r (i)', customers)}`,
    part: `select i, ${pick('p_color', 'almond,forest,green,lemon,navy,pink')} || ' ' || ${pick('p_color2', 'azure,forest,green,ivory,plum,snow')},
      'Manufacturer#' || (1 + ${any('p_mfgr', 5)}), 'Brand#' || (1 + ${any('p_mfgr', 5)}) || (1 + ${any('p_brand', 5)}),
      ${pick('p_type1', 'STANDARD,SMALL,MEDIUM,LARGE,ECONOMY,PROMO')} || ' ' || ${pick('p_type2', 'ANODIZED,BURNISHED,PLATED,POLISHED,BRUSHED')} || ' ' || ${pick('p_type3', 'TIN,NICKEL,BRASS,STEEL,COPPER')},
      1 + ${any('p_size', 50)}, ${pick('p_container1', 'SM,MED,LG,JUMBO,WRAP')} || ' ' || ${pick('p_container2', 'CASE,BOX,PACK,PKG,BAG')},
      ${money('p_retailprice', 120_000, 90_000)}, 'part' ${rows('r (i)', parts)}`,
    partsupp: `select p, ${supplierOf('p', 'n')}, 1 + ${any('ps_availqty', 9999, '(p, n)')}, ((100 + ${any('ps_cost', 99_900, '(p, n)')}) / 100)::decimal(15,2), 'supply'
      ${rows('r (p)', parts)}, range(4) as s (n)`,
    orders: `select i, 1 + 3 * ${any('o_cust', Math.max(1, Math.floor(customers / 3)))}, ${pick('o_status', 'F,O,P')}, ${money('o_total', 50_000_000, 90_000)},
      date '1992-01-01' + ${any('o_date', 2406)}::integer, ${pick('o_priority', '1-URGENT,2-HIGH,3-MEDIUM,4-NOT SPECIFIED,5-LOW')},
      'Clerk#' || ${any('o_clerk', 1000)}, 0, ${words('o_comment')} ${rows('r (i)', orders)}`,
    lineitem: `select o_orderkey, part, ${supplierOf('part', any('l_supp', 4))}, n, quantity, (quantity * (900 + part % 1000))::decimal(15,2),
      (${any('l_discount', 11)} / 100)::decimal(15,2), (${any('l_tax', 9)} / 100)::decimal(15,2),
      case when received <= date '1995-06-17' then ${pick('l_flag', 'R,A')} else 'N' end, case when shipped > date '1995-06-17' then 'O' else 'F' end,
      shipped, o_orderdate + (30 + ${any('l_commit', 61)})::integer, received,
      ${pick('l_instruct', 'DELIVER IN PERSON,COLLECT COD,NONE,TAKE BACK RETURN')}, ${pick('l_mode', 'REG AIR,AIR,RAIL,SHIP,TRUCK,MAIL,FOB')}, 'line'
      from (
        select *, shipped + (1 + ${any('l_receipt', 30)})::integer as received
        from (
          select o_orderkey, o_orderdate, n, o_orderkey * 8 + n as i, 1 + ${any('l_part', parts, 'o_orderkey * 8 + n')} as part,
            (1 + ${any('l_quantity', 50, 'o_orderkey * 8 + n')})::decimal(15,2) as quantity,
            o_orderdate + (1 + ${any('l_ship', 121, 'o_orderkey * 8 + n')})::integer as shipped
          from orders, range(1, 8) as l (n) where n <= 1 + ${any('l_count', 7, 'o_orderkey')}))`,
  }
  return tableNames.flatMap((name) => [
    `create table ${name} (${Object.entries(columnsOf[name]).map(([column, type]) => `${column} ${type}`).join(', ')})`,
    `insert into ${name} ${selects[name]}`,
  ])
}
