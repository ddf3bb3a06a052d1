-- Forty-eight products. Two have a story: number 12 is launched in the second year and takes off, number 45 is a
-- favorite at first, declines and is discontinued.

insert into products
with
  assortment as (
    select category, unnest(nouns) as noun, unnest(prices)::decimal(10, 2) as unit_price
    from (values
      (
        'Kitchen',
        ['Coffee Grinder', 'Chef Knife', 'Tea Kettle', 'Mixing Bowl', 'Cutting Board', 'Pepper Mill', 'Bread Box', 'Iron Pan'],
        [64.90, 79.00, 49.50, 22.90, 34.90, 27.50, 39.90, 58.00]
      ),
      (
        'Desk',
        ['Desk Lamp', 'Notebook', 'Pen Tray', 'Sunrise Lamp', 'Monitor Stand', 'Paper Sorter', 'Wall Clock', 'Desk Mat'],
        [72.00, 12.90, 18.50, 94.90, 68.00, 24.90, 45.50, 29.90]
      ),
      (
        'Garden',
        ['Watering Can', 'Plant Pot', 'Hand Trowel', 'Seed Box', 'Bird Feeder', 'Hose Reel', 'Garden Chair', 'Lantern'],
        [32.90, 19.90, 14.50, 26.00, 23.90, 54.90, 88.00, 36.50]
      ),
      (
        'Winter',
        ['Wool Blanket', 'Mittens', 'Hot Water Bottle', 'Knit Scarf', 'Candle Set', 'Fleece Slippers', 'Snow Brush', 'Flask'],
        [84.90, 27.90, 21.50, 38.00, 24.50, 33.90, 16.90, 31.00]
      ),
      (
        'Travel',
        ['Day Pack', 'Packing Cubes', 'Travel Mug', 'Neck Pillow', 'Wash Bag', 'Rain Cover', 'Cabin Case', 'Passport Wallet'],
        [92.00, 28.90, 23.50, 26.90, 34.00, 19.90, 159.00, 37.50]
      ),
      (
        'Audio',
        ['Bookshelf Speaker', 'Headphones', 'Turntable', 'Headphone Stand', 'Pocket Radio', 'Cable Kit', 'Shower Speaker', 'Record Crate'],
        [139.00, 119.90, 229.00, 34.50, 76.90, 18.90, 48.50, 42.00]
      )
    ) as categories(category, nouns, prices)
  ),
  numbered as (
    select row_number() over () as product_id, * from assortment
  ),
  lines as (
    select ['Alder', 'Basalt', 'Cedar', 'Dune', 'Ember', 'Fjord', 'Granite', 'Harbor', 'Juniper', 'Linden', 'Moss'] as names
  ),
  dated as (
    select
      product_id,
      case product_id
        when 12 then 'Aurora'
        when 45 then 'Meridian'
        else names[1 + product_id * 4 % len(names)]
      end || ' ' || noun as name,
      category,
      unit_price,
      if(
        product_id = 12,
        week_start(61),
        opened_on() - 671 + roll('launch', product_id, 600)::integer
      ) as launched_on,
      if(product_id = 45, week_start(96) - 1, null) as discontinued_on
    from numbered, lines
  )
select
  product_id,
  name,
  category,
  unit_price,
  (unit_price * (40 + roll('cost', product_id, 26)) * 0.01)::decimal(10, 2) as unit_cost,
  launched_on,
  discontinued_on,
  discontinued_on is null as is_active
from dated
order by product_id;
