-- The three tables of the sample shop. The comments are shown in the schema browser.

create table products (
  product_id integer primary key,
  name varchar not null,
  category varchar not null,
  unit_price decimal(10, 2) not null,
  unit_cost decimal(10, 2) not null,
  launched_on date not null,
  discontinued_on date,
  is_active boolean not null
);

comment on table products is 'What the shop sells. One row per product.';
comment on column products.product_id is 'Identifies the product.';
comment on column products.name is 'Name on the shop''s pages.';
comment on column products.category is 'Kitchen, Desk, Garden, Winter, Travel or Audio.';
comment on column products.unit_price is 'List price of one piece, in euros, before any discount.';
comment on column products.unit_cost is 'What one piece costs the shop, in euros.';
comment on column products.launched_on is 'First day on sale.';
comment on column products.discontinued_on is 'Last day on sale; null while the product is sold.';
comment on column products.is_active is 'Whether the product is still sold.';

create table customers (
  customer_id integer primary key,
  name varchar not null,
  country varchar not null,
  signed_up_at timestamp not null,
  acquired_through varchar not null,
  is_business boolean not null,
  has_newsletter boolean not null
);

comment on table customers is 'Who buys. One row per customer; nobody in it is a real person or company.';
comment on column customers.customer_id is 'Identifies the customer.';
comment on column customers.name is 'Invented name of the person or company.';
comment on column customers.country is 'Country the orders are sent to.';
comment on column customers.signed_up_at is 'When the account was opened (UTC). The first order follows within the hour.';
comment on column customers.acquired_through is 'How the customer found the shop: search, social, referral or press.';
comment on column customers.is_business is 'Companies order more pieces at a time, on working days.';
comment on column customers.has_newsletter is 'Whether the customer receives the newsletter.';

create table orders (
  order_id integer primary key,
  customer_id integer not null,
  product_id integer not null,
  ordered_at timestamp not null,
  ordered_on date not null,
  channel varchar not null,
  warehouse varchar not null,
  quantity integer not null,
  unit_price decimal(10, 2) not null,
  discount_percent integer not null,
  coupon_code varchar,
  amount decimal(10, 2) not null,
  status varchar not null,
  shipped_at timestamp,
  rating integer,
  is_gift boolean not null
);

comment on table orders is 'What was bought in the last two years, until today. One row per order; an order is for one product.';
comment on column orders.order_id is 'Identifies the order; a later order has a higher number, apart from a few on the same day.';
comment on column orders.customer_id is 'The buyer: customers.customer_id.';
comment on column orders.product_id is 'What was bought: products.product_id.';
comment on column orders.ordered_at is 'When the order was placed (UTC).';
comment on column orders.ordered_on is 'The day of the order on the customer''s own calendar.';
comment on column orders.channel is 'Where it was placed: web, app, marketplace or phone.';
comment on column orders.warehouse is 'The warehouse that ships it: Rotterdam, Columbus, Sydney or Osaka.';
comment on column orders.quantity is 'Number of pieces.';
comment on column orders.unit_price is 'Price of one piece in euros, before the discount.';
comment on column orders.discount_percent is 'Discount on the whole order, in percent.';
comment on column orders.coupon_code is 'The coupon that gave the discount; null when there was none.';
comment on column orders.amount is 'What the customer pays, in euros: quantity × unit price, less the discount.';
comment on column orders.status is 'completed, processing, canceled (never shipped) or refunded (shipped, money returned).';
comment on column orders.shipped_at is 'When it left the warehouse (UTC); null when it has not.';
comment on column orders.rating is 'One to five stars from the customer; null when not rated.';
comment on column orders.is_gift is 'Whether it was wrapped as a gift.';
