import { commonKeywords, type EditorDialect } from '../editor-dialect.ts'

export const trinoEditor: EditorDialect = {
  keywords:
    `${commonKeywords} lateral unnest ordinality nulls first last filter within at time zone tablesample bernoulli grouping sets ` +
    'rollup cube fetch next only ties groups match_recognize measures pattern define table describe catalogs schemas tables columns',
  types:
    'array bigint boolean char date decimal double integer interval ipaddress json map real row smallint time timestamp tinyint ' +
    'uuid varbinary varchar',
  builtin:
    'abs any_value approx_distinct approx_percentile arbitrary array_agg array_distinct array_join array_max array_min array_sort avg ' +
    'bool_and bool_or cardinality ceil checksum coalesce concat concat_ws contains corr count count_if current_date ' +
    'current_timestamp date date_add date_diff date_format date_parse date_trunc day day_of_week day_of_year dense_rank element_at ' +
    'every filter first_value flatten floor format format_datetime from_iso8601_timestamp from_unixtime geometric_mean greatest ' +
    'histogram hour if json_array_get json_extract json_extract_scalar json_format json_parse json_query json_value lag last_day_of_month ' +
    'last_value lead least length listagg ln log lower lpad ltrim map_agg map_keys map_values max max_by md5 min min_by minute mod ' +
    'month nth_value ntile now nullif numeric_histogram parse_datetime percent_rank position power quarter random rank reduce ' +
    'regexp_count regexp_extract regexp_extract_all regexp_like regexp_replace regexp_split repeat replace reverse round ' +
    'row_number rpad rtrim second sequence sha256 sign slice split split_part sqrt starts_with stddev stddev_pop stddev_samp strpos ' +
    'substr substring sum to_hex to_iso8601 to_unixtime transform trim truncate try try_cast typeof upper url_extract_host uuid ' +
    'var_pop var_samp variance week width_bucket year zip',
  operatorChars: '+-*/%<>=!|?:',
  identifierQuotes: '"',
  caseInsensitiveIdentifiers: true,
  reserved:
    'alter between by constraint cross cube current_catalog current_date current_path current_role current_schema current_time ' +
    'current_timestamp current_user deallocate delete drop escape execute exists explain extract full grouping inner insert is ' +
    'join json_array json_exists json_object json_query json_table json_value left like listagg localtime localtimestamp natural ' +
    'normalize outer prepare recursive right rollup skip trim uescape unnest values',
  formatter: 'trino',
}
