import { commonKeywords, type EditorDialect } from '../editor-dialect.ts'

export const bigqueryEditor: EditorDialect = {
  keywords:
    `${commonKeywords} qualify unnest struct array pivot unpivot tablesample system nulls first last ignore respect grouping sets ` +
    'rollup cube safe_cast at time zone replace except for system_time of',
  types:
    'array bignumeric bool bytes date datetime float64 geography int64 interval json numeric range string struct time timestamp',
  builtin:
    'abs any_value approx_count_distinct approx_quantiles approx_top_count array_agg array_concat array_length array_to_string avg ' +
    'bit_count ceil coalesce concat contains_substr corr count countif current_date current_datetime current_timestamp date date_add ' +
    'date_diff date_sub date_trunc datetime datetime_diff datetime_trunc dense_rank div ends_with exp extract farm_fingerprint ' +
    'first_value floor format format_date format_timestamp from_base64 generate_array generate_date_array generate_uuid greatest ' +
    'if ifnull initcap json_query json_value lag last_day last_value lead least left length ln log logical_and logical_or lower lpad ' +
    'ltrim max max_by md5 min min_by mod nth_value ntile nullif offset ordinal parse_date parse_json parse_timestamp percent_rank ' +
    'percentile_cont percentile_disc pow rand rank regexp_contains regexp_extract regexp_extract_all regexp_replace repeat replace ' +
    'reverse right round row_number rpad rtrim safe_divide safe_offset sha256 sign split sqrt st_distance st_geogpoint starts_with ' +
    'stddev string_agg strpos substr sum timestamp timestamp_add timestamp_diff timestamp_micros timestamp_millis timestamp_seconds ' +
    'timestamp_sub timestamp_trunc to_base64 to_hex to_json_string trim trunc unix_seconds upper variance',
  operatorChars: '+-*/%<>=!|&^~?:',
  identifierQuotes: '`',
  hashComments: true,
  backslashEscapes: true,
  doubleQuotedStrings: true,
  caseInsensitiveIdentifiers: true,
  reserved:
    'array assert_rows_modified at contains cube define enum exclude extract fetch groups grouping hash ignore lateral lookup merge ' +
    'new no nulls of preceding proto qualify respect rollup set struct tablesample treat unnest within',
  formatter: 'bigquery',
}
