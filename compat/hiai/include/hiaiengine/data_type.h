/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/data_type.h - the data types of Matrix, with their fields in the order in which they
 * are archived. Their names are registered in every program that includes this header.
 */
#ifndef HIAIENGINE_DATA_TYPE_H
#define HIAIENGINE_DATA_TYPE_H

#include <hiaiengine/ai_nn_tensor_list.h>
#include <hiaiengine/ai_tensor.h>
#include <hiaiengine/data_type_reg.h>
#include <hiaiengine/log.h>

#ifdef __cplusplus
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hiai {

enum IMAGEFORMAT {
    RGB565,
    BGR565,
    RGB888,
    BGR888,
    BGRA8888,
    ARGB8888,
    RGBX8888,
    XRGB8888,
    YUV420Planar,
    YVU420Planar,
    YUV420SP,
    YVU420SP,
    YUV420Packed,
    YVU420Packed,
    YUV422Planar,
    YVU422Planar,
    YUYVPacked,
    YVYUPacked,
    UYVYPacket,
    VYUYPacket,
    YUV422SP,
    YVU422SP,
    YUV444Interleaved,
    Y8,
    Y16,
    H264,
    H265,
    JPEGRAW,
    RAW
};

enum OBJECTTYPE { OT_VEHICLE, OT_HUMAN, OT_NON_MOTOR, OT_FACE, OT_FACE_BODY, OT_PLATE };

namespace hiaix {

/* Archives `count` elements. Memory for them is allocated if there is none, on the sender too. This
 * one is for archives of cereal, when such a type is a field of a program's own. */
template <class Archive, typename T>
void Elements(Archive &ar, std::shared_ptr<T> &data, size_t count) {
    if (count > 0 && !data) data.reset(new T[count], std::default_delete<T[]>());
#ifdef HIAIX_HAS_CEREAL
    if (data) ar(cereal::binary_data(data.get(), count * sizeof(T)));
#else
    (void)ar;
#endif
}

template <typename T> void Elements(hiaix::Archive &ar, std::shared_ptr<T> &data, size_t count) {
    ar.Elements(data, count);
}

} // namespace hiaix

/* A struct whose fields are archived as listed. */
#define HIAIX_ARCHIVE(...)                                                                         \
    template <class Archive> void serialize(Archive &ar) { ar(__VA_ARGS__); }

template <class Archive> void serialize(Archive &ar, RawDataBuffer &raw) {
    ar(raw.len_of_byte);
    hiaix::Elements(ar, raw.data, raw.len_of_byte);
}

/* ---- frames and images */

struct BatchInfo {
    bool is_first = false;
    bool is_last = false;
    uint32_t batch_size = 0;
    uint32_t max_batch_size = 0;
    uint32_t batch_ID = 0;
    uint32_t channel_ID = 0;
    uint32_t processor_stream_ID = 0;
    std::vector<uint32_t> frame_ID;
    std::vector<uint32_t> source_ID;
    std::vector<uint64_t> timestamp;
    HIAIX_ARCHIVE(is_first, is_last, batch_size, max_batch_size, batch_ID, channel_ID,
                  processor_stream_ID, frame_ID, source_ID, timestamp)
};

struct FrameInfo {
    bool is_first = false;
    bool is_last = false;
    uint32_t channel_ID = 0;
    uint32_t processor_stream_ID = 0;
    uint32_t frame_ID = 0;
    uint32_t source_ID = 0;
    uint64_t timestamp = 0;
    HIAIX_ARCHIVE(is_first, is_last, channel_ID, processor_stream_ID, frame_ID, source_ID,
                  timestamp)
};

/* Defines X, the data of one frame, and BatchX, that of several: after the FrameInfo a member of type
 * Data, and after the BatchInfo a vector of them. */
#define HIAIX_PARAS(X, Data, one, several)                                                         \
    template <typename T> struct X {                                                               \
        FrameInfo f_info;                                                                          \
        Data<T> one;                                                                               \
        HIAIX_ARCHIVE(f_info, one)                                                                 \
    };                                                                                             \
    template <typename T> struct Batch##X {                                                        \
        BatchInfo b_info;                                                                          \
        std::vector<Data<T>> several;                                                              \
        HIAIX_ARCHIVE(b_info, several)                                                             \
    };

template <typename T> struct ImageData {
    IMAGEFORMAT format = YUV420SP;
    uint32_t width = 0;
    uint32_t height = 0;
    uint32_t channel = 0;
    uint32_t depth = 0;
    uint32_t height_step = 0;
    uint32_t width_step = 0;
    uint32_t size = 0;
    std::shared_ptr<T> data;
    template <class Archive> void serialize(Archive &ar) {
        ar(format, width, height, channel, depth, height_step, width_step, size);
        hiaix::Elements(ar, data, size);
    }
};

HIAIX_PARAS(ImagePara, ImageData, img, v_img)

struct BatchRawDataBuffer {
    BatchInfo b_info;
    std::vector<RawDataBuffer> v_info;
    HIAIX_ARCHIVE(b_info, v_info)
};

/* ---- places */

struct Angle {
    float x = 0;
    float y = 0;
    float z = 0;
    HIAIX_ARCHIVE(x, y, z)
};

struct Point2D {
    int32_t x = 0;
    int32_t y = 0;
    HIAIX_ARCHIVE(x, y)
};

struct Point3D {
    int32_t x = 0;
    int32_t y = 0;
    int32_t z = 0;
    HIAIX_ARCHIVE(x, y, z)
};

template <typename T> struct Line {
    T start = T();
    T end = T();
    HIAIX_ARCHIVE(start, end)
};

template <typename T> struct Rectangle {
    T anchor_lt = T();
    T anchor_rb = T();
    HIAIX_ARCHIVE(anchor_lt, anchor_rb)
};

template <typename T> struct Polygon {
    std::vector<T> anchors;
    HIAIX_ARCHIVE(anchors)
};

struct ROICube {
    Point3D anchor;
    uint32_t length = 0;
    uint32_t width = 0;
    uint32_t height = 0;
    HIAIX_ARCHIVE(anchor, length, width, height)
};

template <typename T> struct MaskMatrix {
    uint32_t cols = 0;
    uint32_t rows = 0;
    std::shared_ptr<T> data;
    template <class Archive> void serialize(Archive &ar) {
        ar(cols, rows);
        hiaix::Elements(ar, data, static_cast<size_t>(cols) * rows);
    }
};

struct RLECode {
    uint32_t len = 0;
    uint32_t cols = 0;
    uint32_t rows = 0;
    std::shared_ptr<uint32_t> data;
    template <class Archive> void serialize(Archive &ar) {
        ar(len, cols, rows);
        hiaix::Elements(ar, data, len);
    }
};

struct RoiPolygon {
    uint32_t uiPtNum = 0;
    std::vector<Point2D> astPts;
    HIAIX_ARCHIVE(uiPtNum, astPts)
};

struct ArgsRoiPolygon {
    RoiPolygon stRoiPolygon;
    uint32_t iMinFace = 0;
    uint32_t iMaxFace = 0;
    uint32_t imgWidth = 0;
    uint32_t imgHeight = 0;
    HIAIX_ARCHIVE(stRoiPolygon, iMinFace, iMaxFace, imgWidth, imgHeight)
};

/* ---- objects and their properties. X...Para is one frame, BatchX...Para several */

template <typename T1, typename T2> struct ObjectLocation {
    std::vector<uint32_t> v_obj_id;
    std::vector<T1> range;
    std::vector<Angle> angle;
    std::vector<T2> confidence;
    std::vector<uint32_t> label;
    std::vector<uint32_t> isInRoi;
    HIAIX_ARCHIVE(v_obj_id, range, angle, confidence, label, isInRoi)
};

template <typename T1, typename T2> struct DetectedObjectPara {
    FrameInfo f_info;
    ObjectLocation<T1, T2> location;
    HIAIX_ARCHIVE(f_info, location)
};

template <typename T1, typename T2> struct BatchDetectedObjectPara {
    BatchInfo b_info;
    std::vector<ObjectLocation<T1, T2>> v_location;
    HIAIX_ARCHIVE(b_info, v_location)
};

template <typename T> struct RegionImage {
    std::vector<uint32_t> v_obj_id;
    std::vector<ImageData<T>> region;
    HIAIX_ARCHIVE(v_obj_id, region)
};

HIAIX_PARAS(RegionImagePara, RegionImage, region, v_region)

template <typename T> struct Attribute {
    std::string attr_value;
    T score = T();
    HIAIX_ARCHIVE(attr_value, score)
};

template <typename T> struct AttributeTopN {
    uint32_t obj_ID = 0;
    std::map<std::string, std::vector<Attribute<T>>> attr_map;
    HIAIX_ARCHIVE(obj_ID, attr_map)
};

template <typename T> struct AttributeVec {
    std::vector<AttributeTopN<T>> obj_attr;
    HIAIX_ARCHIVE(obj_attr)
};

HIAIX_PARAS(AttributeResultPara, AttributeVec, attr, v_attr)

template <typename T> struct Feature {
    int32_t len = 0;
    std::shared_ptr<T> feature;
    template <class Archive> void serialize(Archive &ar) {
        ar(len);
        hiaix::Elements(ar, feature, len > 0 ? static_cast<size_t>(len) : 0);
    }
};

template <typename T> struct FeatureList {
    uint32_t obj_ID = 0;
    std::vector<Feature<T>> feature_list;
    HIAIX_ARCHIVE(obj_ID, feature_list)
};

template <typename T> struct FeatureVec {
    std::vector<FeatureList<T>> obj_feature;
    HIAIX_ARCHIVE(obj_feature)
};

HIAIX_PARAS(FeatureResultPara, FeatureVec, feature, v_feature)

template <typename T> struct FeatureRecord {
    uint32_t ID = 0;
    uint32_t len = 0;
    std::shared_ptr<T> feature;
    template <class Archive> void serialize(Archive &ar) {
        ar(ID, len);
        hiaix::Elements(ar, feature, len);
    }
};

template <typename T1, typename T2> struct RetrievalSet {
    uint32_t TopN = 0;
    T1 threshold = T1();
    std::vector<FeatureRecord<T2>> record;
    HIAIX_ARCHIVE(TopN, threshold, record)
};

template <typename T1, typename T2> struct RetrievalSetPara {
    RetrievalSet<T1, T2> set;
    HIAIX_ARCHIVE(set)
};

struct RetrievalResult {
    uint32_t ID = 0;
    float similarity = 0;
    HIAIX_ARCHIVE(ID, similarity)
};

struct RetrievalResultTopN {
    std::vector<RetrievalResult> result_list;
    HIAIX_ARCHIVE(result_list)
};

struct RetrievalResultPara {
    FrameInfo f_info;
    RetrievalResultTopN result;
    HIAIX_ARCHIVE(f_info, result)
};

struct BatchRetrievalResultPara {
    BatchInfo b_info;
    std::vector<RetrievalResultTopN> v_result;
    HIAIX_ARCHIVE(b_info, v_result)
};

template <typename T> struct EvaluationResult {
    uint32_t obj_ID = 0;
    std::string description;
    T score = T();
    HIAIX_ARCHIVE(obj_ID, description, score)
};

template <typename T> struct EvaluationResultVec {
    std::vector<EvaluationResult<T>> result;
    HIAIX_ARCHIVE(result)
};

HIAIX_PARAS(EvaluationResultPara, EvaluationResultVec, result, v_result)

template <typename T> struct Classification {
    std::string class_value;
    T score = T();
    HIAIX_ARCHIVE(class_value, score)
};

template <typename T> struct ClassificationTopN {
    uint32_t obj_ID = 0;
    std::vector<Classification<T>> class_result;
    HIAIX_ARCHIVE(obj_ID, class_result)
};

template <typename T> struct ClassificationVec {
    std::vector<ClassificationTopN<T>> class_list;
    HIAIX_ARCHIVE(class_list)
};

HIAIX_PARAS(ClassificationResultPara, ClassificationVec, classification, v_class)

struct IDTreeNode {
    uint32_t nodeID = 0;
    std::vector<bool> is_leaf;
    std::vector<IDTreeNode> node;
    HIAIX_ARCHIVE(nodeID, is_leaf, node)
};

struct IDTreePara {
    FrameInfo f_info;
    IDTreeNode tree;
    HIAIX_ARCHIVE(f_info, tree)
};

struct BatchIDTreePara {
    BatchInfo b_info;
    std::vector<IDTreeNode> v_tree;
    HIAIX_ARCHIVE(b_info, v_tree)
};

namespace hiaix {

/* Registers the types above under their names. */
class DataTypes {
  public:
    /* Once for each program and shared object that includes this header. */
    static bool RegisterAll() {
        static const bool done =
            (types(), elements<uint8_t>("_uint8_t"), elements<float>("_float"), rectangles(), true);
        return done;
    }

  private:
    static void types() {
        RegisterArchived<BatchInfo>("BatchInfo");
        RegisterArchived<FrameInfo>("FrameInfo");
        RegisterArchived<IMAGEFORMAT>("IMAGEFORMAT");
        RegisterArchived<Angle>("Angle");
        RegisterArchived<Point2D>("Point2D");
        RegisterArchived<Point3D>("Point3D");
        RegisterArchived<ROICube>("ROICube");
        RegisterArchived<RLECode>("RLECode");
        RegisterArchived<IDTreeNode>("IDTreeNode");
        RegisterArchived<IDTreePara>("IDTreePara");
        RegisterArchived<BatchIDTreePara>("BatchIDTreePara");
        RegisterArchived<RetrievalResult>("RetrievalResult");
        RegisterArchived<RetrievalResultTopN>("RetrievalResultTopN");
        RegisterArchived<RetrievalResultPara>("RetrievalResultPara");
        RegisterArchived<BatchRawDataBuffer>("BatchRawDataBuffer");
        RegisterArchived<NNTensorList>("NNTensorList");
    }
    template <typename T> static void one(const char *name, const char *element) {
        RegisterArchived<T>((std::string(name) + element).c_str());
    }
    template <typename T> static void elements(const char *element) {
        const std::string both = std::string(element) + element;
        one<ImageData<T>>("ImageData", element);
        one<ImagePara<T>>("ImagePara", element);
        one<BatchImagePara<T>>("BatchImagePara", element);
        one<Line<T>>("Line", element);
        one<Rectangle<T>>("Rectangle", element);
        one<Polygon<T>>("Polygon", element);
        one<MaskMatrix<T>>("MaskMatrix", element);
        one<RegionImage<T>>("RegionImage", element);
        one<RegionImagePara<T>>("RegionImagePara", element);
        one<BatchRegionImagePara<T>>("BatchRegionImagePara", element);
        one<Attribute<T>>("Attribute", element);
        one<AttributeTopN<T>>("AttributeTopN", element);
        one<AttributeVec<T>>("AttributeVec", element);
        one<AttributeResultPara<T>>("AttributeResultPara", element);
        one<BatchAttributeResultPara<T>>("BatchAttributeResultPara", element);
        one<Feature<T>>("Feature", element);
        one<FeatureList<T>>("FeatureList", element);
        one<FeatureVec<T>>("FeatureVec", element);
        one<FeatureResultPara<T>>("FeatureResultPara", element);
        one<BatchFeatureResultPara<T>>("BatchFeatureResultPara", element);
        one<FeatureRecord<T>>("FeatureRecord", element);
        one<EvaluationResult<T>>("EvaluationResult", element);
        one<EvaluationResultVec<T>>("EvaluationResultVec", element);
        one<EvaluationResultPara<T>>("EvaluationResultPara", element);
        one<BatchEvaluationResultPara<T>>("BatchEvaluationResultPara", element);
        one<Classification<T>>("Classification", element);
        one<ClassificationTopN<T>>("ClassificationTopN", element);
        one<ClassificationVec<T>>("ClassificationVec", element);
        one<ClassificationResultPara<T>>("ClassificationResultPara", element);
        one<BatchClassificationResultPara<T>>("BatchClassificationResultPara", element);
        one<ObjectLocation<T, T>>("ObjectLocation", both.c_str());
        one<DetectedObjectPara<T, T>>("DetectedObjectPara", both.c_str());
        one<BatchDetectedObjectPara<T, T>>("BatchDetectedObjectPara", both.c_str());
        one<RetrievalSet<T, T>>("RetrievalSet", both.c_str());
    }
    static void rectangles() {
        RegisterArchived<BatchDetectedObjectPara<Rectangle<Point2D>, int32_t>>(
            "BatchDetectedObjectPara_Rectangle_Point2D_int32_t");
        RegisterArchived<BatchDetectedObjectPara<Rectangle<Point2D>, float>>(
            "BatchDetectedObjectPara_Rectangle_Point2D_float");
    }
};

static const bool data_types_are_registered = DataTypes::RegisterAll();
static_assert(sizeof data_types_are_registered == sizeof(bool), "it is named, and thus used");

} // namespace hiaix

/* The name of a type, which REGISTER_TYPE_DEFINITION defines. */
template <typename T> inline const char *TypeName();
#define REGISTER_TYPE_DEFINITION(type)                                                             \
    template <> inline const char *TypeName<type>() { return #type; }

/* Resets a shared pointer in a function without a result, and returns from it after a failure. */
#define HIAI_SHARED_PTR_RESET(memory, pointer, text)                                               \
    try {                                                                                          \
        (memory).reset(pointer);                                                                   \
    } catch (...) {                                                                                \
        HIAI_ENGINE_LOG(HIAI_MEMORY_EXHAUSTED, "%s", (text));                                      \
        (memory) = nullptr;                                                                        \
        return;                                                                                    \
    }

} // namespace hiai
#endif
#endif
