// Data of an order as the channel's documentation shows them (upstream §10), whole and free of findings.

export const PIX_EXAMPLE = {
  code: "00020126360014br.gov.bcb.pix0114395805250001895204000053039865406500.005802BR5904Shop6009Sao Paulo62070503***630470EA",
  merchant_name: "Shop",
  key: "39580525000189",
  key_type: "CNPJ",
};

export const ORDER_EXAMPLE = {
  reference_id: "ord-1",
  type: "digital-goods",
  payment_type: "br",
  currency: "BRL",
  payment_settings: [{ type: "pix_dynamic_code", pix_dynamic_code: PIX_EXAMPLE }],
  total_amount: { value: 50000, offset: 100 },
  order: {
    status: "pending",
    tax: { value: 0, offset: 100, description: "Included" },
    items: [{ retailer_id: "1234567", name: "Cake", amount: { value: 50000, offset: 100 }, quantity: 1 }],
    subtotal: { value: 50000, offset: 100 },
  },
};
