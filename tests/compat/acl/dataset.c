// SPDX-License-Identifier: Apache-2.0
// Items that describe tensors, and data sets of them.
#include <acl/acl_tdt.h>

#include "support/acl.h"

static void an_item_returns_what_it_was_created_with(void **state) {
    int64_t dims[] = {2, 3, 4};
    int64_t got[4] = {9, 9, 9, 9};
    float data[24];
    (void)state;
    acltdtDataItem *item =
        acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 3, ACL_FLOAT16, data, sizeof data);
    assert_non_null(item);
    dims[0] = 5; // the item has a copy
    assert_int_equal(acltdtGetTensorTypeFromItem(item), ACL_TENSOR_DATA_TENSOR);
    assert_int_equal(acltdtGetDataTypeFromItem(item), ACL_FLOAT16);
    assert_ptr_equal(acltdtGetDataAddrFromItem(item), data);
    assert_int_equal(acltdtGetDataSizeFromItem(item), sizeof data);
    assert_int_equal(acltdtGetDimNumFromItem(item), 3);
    assert_acl_ok(acltdtGetDimsFromItem(item, got, 4));
    assert_true(got[0] == 2 && got[1] == 3 && got[2] == 4 && got[3] == 9);
    assert_acl(acltdtGetDimsFromItem(item, got, 2), ACL_ERROR_INVALID_PARAM);
    assert_acl(acltdtGetDimsFromItem(item, NULL, 3), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(acltdtDestroyDataItem(item));
}

static void an_item_may_have_no_dimensions_and_no_data(void **state) {
    int64_t none = 7;
    (void)state;
    acltdtDataItem *end =
        acltdtCreateDataItem(ACL_TENSOR_DATA_END_OF_SEQUENCE, NULL, 0, ACL_DT_UNDEFINED, NULL, 0);
    assert_non_null(end);
    assert_int_equal(acltdtGetTensorTypeFromItem(end), ACL_TENSOR_DATA_END_OF_SEQUENCE);
    assert_int_equal(acltdtGetDimNumFromItem(end), 0);
    assert_acl_ok(acltdtGetDimsFromItem(end, NULL, 0));
    assert_acl_ok(acltdtGetDimsFromItem(end, &none, 1));
    assert_int_equal(none, 7);
    assert_acl_ok(acltdtDestroyDataItem(end));
}

static void bad_descriptions_make_no_item(void **state) {
    int64_t dims[129] = {1};
    (void)state;
    assert_null(acltdtCreateDataItem(ACL_TENSOR_DATA_UNDEFINED, dims, 1, ACL_FLOAT, NULL, 0));
    assert_acl(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
    assert_null(acltdtCreateDataItem((acltdtTensorType)5, dims, 1, ACL_FLOAT, NULL, 0));
    assert_null(acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, NULL, 1, ACL_FLOAT, NULL, 0));
    assert_null(acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 0, ACL_FLOAT, NULL, 0));
    assert_null(acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 129, ACL_FLOAT, NULL, 0));
    assert_non_null(strstr(aclGetRecentErrMsg(), "129"));
}

static void an_item_that_does_not_exist_is_refused(void **state) {
    int64_t dim = 1;
    (void)state;
    acltdtDataItem *item =
        acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, &dim, 1, ACL_FLOAT, &dim, sizeof dim);
    assert_acl_ok(acltdtDestroyDataItem(item));
    for (int i = 0; i < 2; i++) {
        assert_acl(acltdtDestroyDataItem(item), ACL_ERROR_INVALID_PARAM);
        assert_int_equal(acltdtGetTensorTypeFromItem(item), ACL_TENSOR_DATA_UNDEFINED);
        assert_int_equal(acltdtGetDataTypeFromItem(item), ACL_DT_UNDEFINED);
        assert_null(acltdtGetDataAddrFromItem(item));
        assert_int_equal(acltdtGetDataSizeFromItem(item), 0);
        assert_int_equal(acltdtGetDimNumFromItem(item), 0);
        assert_acl(acltdtGetDimsFromItem(item, &dim, 1), ACL_ERROR_INVALID_PARAM);
        item = NULL;
    }
}

static void a_data_set_lists_its_items_in_order(void **state) {
    acltdtDataItem *items[9];
    int64_t dim = 1;
    (void)state;
    acltdtDataset *set = acltdtCreateDataset();
    assert_int_equal(acltdtGetDatasetSize(set), 0);
    assert_string_equal(acltdtGetDatasetName(set), "");
    for (size_t i = 0; i < 9; i++) {
        items[i] = acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, &dim, 1, ACL_INT8, NULL, i);
        assert_acl_ok(acltdtAddDataItem(set, items[i]));
    }
    assert_int_equal(acltdtGetDatasetSize(set), 9);
    for (size_t i = 0; i < 9; i++) assert_ptr_equal(acltdtGetDataItem(set, i), items[i]);
    assert_null(acltdtGetDataItem(set, 9));
    assert_acl(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(acltdtDestroyDataset(set));
    for (size_t i = 0; i < 9; i++) { // the items are the program's
        assert_int_equal(acltdtGetDataSizeFromItem(items[i]), i);
        assert_acl_ok(acltdtDestroyDataItem(items[i]));
    }
}

static void a_data_set_that_does_not_exist_is_refused(void **state) {
    acltdtDataItem *item =
        acltdtCreateDataItem(ACL_TENSOR_DATA_ABNORMAL, NULL, 0, ACL_INT8, NULL, 0);
    acltdtDataset *set = acltdtCreateDataset();
    (void)state;
    assert_acl(acltdtAddDataItem(set, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(acltdtDestroyDataset(set));
    for (int i = 0; i < 2; i++) {
        assert_acl(acltdtDestroyDataset(set), ACL_ERROR_INVALID_PARAM);
        assert_acl(acltdtAddDataItem(set, item), ACL_ERROR_INVALID_PARAM);
        assert_null(acltdtGetDataItem(set, 0));
        assert_int_equal(acltdtGetDatasetSize(set), 0);
        assert_null(acltdtGetDatasetName(set));
        set = NULL;
    }
    assert_acl_ok(acltdtDestroyDataItem(item));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_item_returns_what_it_was_created_with),
        cmocka_unit_test(an_item_may_have_no_dimensions_and_no_data),
        cmocka_unit_test(bad_descriptions_make_no_item),
        cmocka_unit_test(an_item_that_does_not_exist_is_refused),
        cmocka_unit_test(a_data_set_lists_its_items_in_order),
        cmocka_unit_test(a_data_set_that_does_not_exist_is_refused),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
