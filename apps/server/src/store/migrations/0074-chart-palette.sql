-- The colors of an organization's charts, as a list of hexadecimal texts. Null: the product's own colors.
alter table organizations add column chart_palette jsonb;
