import { commonKeywords, type EditorDialect } from '../editor-dialect.ts'

export const redshiftEditor: EditorDialect = {
  keywords: `${commonKeywords} ilike similar to nulls first last within at time zone top qualify pivot unpivot exclude minus ignore respect`,
  types:
    'bigint boolean char date decimal double geography geometry hllsketch integer int interval numeric precision real smallint super ' +
    'text time timestamp timestamptz timetz varbyte varchar',
  builtin:
    'abs add_months any_value approximate avg btrim bool_and bool_or ceil charindex coalesce concat convert_timezone count cume_dist ' +
    'current_date date_add date_cmp date_diff date_part date_part_year date_trunc dateadd datediff decode dense_rank ' +
    'extract first_value floor getdate greatest initcap is_valid_json json_extract_array_element_text json_extract_path_text ' +
    'json_parse json_serialize lag last_day last_value lead least left len length listagg ln log lower lpad ltrim max md5 median min mod ' +
    'months_between next_day nth_value ntile nullif nvl nvl2 object_transform percent_rank percentile_cont percentile_disc position ' +
    'power random rank ratio_to_report regexp_count regexp_instr regexp_replace regexp_substr repeat replace reverse right round ' +
    'row_number rpad rtrim sha2 sign split_part sqrt stddev_pop stddev_samp strpos strtol substring sum sysdate to_char to_date ' +
    'to_number to_timestamp translate trim trunc upper var_pop var_samp width_bucket',
  operatorChars: '+-*/<>=~!@#%^&|?:',
  identifierQuotes: '"',
  caseInsensitiveIdentifiers: true,
  backslashEscapes: true,
  reserved:
    'aes128 aes256 allowdateversion authorization between binary blanksasnull bytedict bzip2 credentials cross current_date ' +
    'current_time current_timestamp current_user cursor deflate delta explicit full gzip identity ignore ilike inner is isnull join ' +
    'left like lzo minus natural notnull nulls off offline old open outer overlaps parallel partition percent permissions qualify raw ' +
    'readratio recover respect right similar snapshot sysdate system tag tdes text255 text32k timestamp top wallet without',
  formatter: 'redshift',
}
